-- Returns provider, model and version of an AI tool, or null. `aiTool` has precedence over `ext:ai`, and both over the
-- generator of a mark for AI. At most 500 characters, because a key of an index must be short. PL/pgSQL plans the query
-- once per session.
create or replace function provenance.tool_of_action(p_body jsonb) returns text
language plpgsql immutable as $$
begin
  return (
    select left(concat_ws(' ', nullif(given.tool->>'provider', ''), given.tool->>'model', given.tool->>'version'), 500)
    from (
      select 0 as place, p_body->'aiTool' as tool
      union all
      select 1, part.tool
      from jsonb_each(p_body->'extensions') as e(key, value), unnest(array[e.value, e.value->'tool']) as part(tool)
      where e.key like 'ext:ai@%'
      union all
      select 2, jsonb_build_object('provider', coalesce(made.by->>'provider', ''), 'model', made.by->'name',
        'version', made.by->'version')
      from (select p_body->'extensions'->'ext:mark@1.0.0' as mark) stated,
        lateral (select stated.mark->'generator' as by) made
      where jsonb_typeof(stated.mark->'aiDisclosure') = 'string' and made.by->>'name' <> 'unknown'
    ) given
    where jsonb_typeof(given.tool->'provider') = 'string' and jsonb_typeof(given.tool->'model') = 'string'
    order by given.place limit 1);
end
$$;
