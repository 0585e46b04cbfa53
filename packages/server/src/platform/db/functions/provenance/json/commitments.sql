-- JSON pointer -> base64, or null when nothing was erased. `|| '{}'` decompresses a stored body only once.
create or replace function provenance.commitments(p_body jsonb, p_erasure jsonb) returns jsonb
language sql immutable as $$
  with own as materialized (select p_body || '{}' as body)
  select jsonb_object_agg(pointer, own.body #>> (array(
    select replace(replace(token, '~1', '/'), '~0', '~')
    from unnest((string_to_array(pointer, '/'))[2:]) with ordinality as t(token, place) order by place) || array['c']))
  from own, jsonb_array_elements_text(p_erasure->'fields') pointer
$$;
