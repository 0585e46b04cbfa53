-- Records items in their order, those that bring nothing but an action together where that is possible; the first at
-- p_at, and each of the others a microsecond later. An outcome for each. Called under the project's lock.
create or replace function provenance.record_each(p_project uuid, p_items jsonb, p_at timestamptz) returns jsonb[]
language plpgsql as $$
declare
  part     record;
  outcomes jsonb[] := '{}';
begin
  if jsonb_array_length(p_items) = 1 then return provenance.record_in_turn(p_project, p_items, p_at); end if;
  for part in select * from provenance.parts(p_items, array(
    select place from jsonb_array_elements(p_items) with ordinality as given(item, place)
    where not provenance.is_plain(item)))
  loop
    outcomes := outcomes || case
      when part.is_apart then provenance.record_in_turn(p_project, part.items, p_at + part.since)
      else provenance.record_plain(p_project, part.items, p_at + part.since) end;
  end loop;
  return outcomes;
end
$$;
