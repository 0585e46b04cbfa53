-- Removes the commitments of erased fields, and adds the member `erasure`. A record without erased fields stays
-- unchanged, because the record digest covers each member of the body. The fields are members of the record, of an
-- extension, or of `tool` in an extension.
create or replace function provenance.without_erased(p_body jsonb, p_erasure jsonb) returns jsonb
language plpgsql immutable as $$
declare
  shown jsonb;
begin
  if p_erasure is null or p_erasure->'fields' = '[]' then return p_body; end if;
  with erased as (
    -- RFC 6901 §4: decode ~1 before ~0.
    select array(
      select replace(replace(token, '~1', '/'), '~0', '~')
      from unnest((string_to_array(pointer, '/'))[2:]) with ordinality as t(token, place) order by place) as path
    from jsonb_array_elements_text(p_erasure->'fields') pointer
  ),
  extension as (
    select path[2] as key,
      coalesce(array_agg(path[3]) filter (where cardinality(path) = 3), '{}') as own,
      coalesce(array_agg(path[4]) filter (where cardinality(path) = 4), '{}') as of_tool
    from erased where cardinality(path) > 1 group by path[2]
  ),
  rebuilt as (
    select jsonb_object_agg(given.key, case
      when e.key is null then given.value
      when e.of_tool = '{}' then given.value - e.own
      else (given.value - e.own) || jsonb_build_object('tool', (given.value->'tool') - e.of_tool) end) as extensions
    from jsonb_each(p_body->'extensions') given left join extension e on e.key = given.key
    where exists (select from extension)
  )
  select (p_body - coalesce((select array_agg(path[1]) from erased where cardinality(path) = 1), '{}'))
    || case when rebuilt.extensions is null then '{}' else jsonb_build_object('extensions', rebuilt.extensions) end
    || jsonb_build_object('erasure', p_erasure)
  into shown from rebuilt;
  return shown;
end
$$;
