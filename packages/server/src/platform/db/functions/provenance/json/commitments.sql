-- Returns the commitments in place of erased fields: JSON pointer -> base64. Null when nothing was erased.
create or replace function provenance.commitments(p_body jsonb, p_erasure jsonb) returns jsonb
language sql immutable as $$
  select jsonb_object_agg(pointer, p_body #>> (array(
    select replace(replace(token, '~1', '/'), '~0', '~')
    from unnest((string_to_array(pointer, '/'))[2:]) with ordinality as t(token, place) order by place) || array['c']))
  from jsonb_array_elements_text(p_erasure->'fields') pointer
$$;
