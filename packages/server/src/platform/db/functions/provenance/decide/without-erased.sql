-- Removes the commitments of erased fields from a record's body, and adds the member `erasure`. A record without erased
-- fields keeps its body, since its digest covers each member.
create or replace function provenance.without_erased(p_body jsonb, p_erasure jsonb) returns jsonb
language plpgsql immutable as $$
declare
  shown   jsonb := p_body;
  pointer text;
begin
  if p_erasure is null or p_erasure->'fields' = '[]' then return p_body; end if;
  for pointer in select jsonb_array_elements_text(p_erasure->'fields') loop
    -- RFC 6901 §4: decode ~1 before ~0.
    shown := shown #- array(
      select replace(replace(token, '~1', '/'), '~0', '~')
      from unnest((string_to_array(pointer, '/'))[2:]) with ordinality as t(token, place) order by place);
  end loop;
  return shown || jsonb_build_object('erasure', p_erasure);
end
$$;
