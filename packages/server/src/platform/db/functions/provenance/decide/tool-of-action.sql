-- Returns provider, model and version of the AI tool of an action as one text, or null without a tool. `aiTool` has
-- precedence over an extension `ext:ai`. The text ends after 500 characters, because a key of an index must be short.
-- The language is PL/pgSQL, because it plans the query once per session.
create or replace function provenance.tool_of_action(p_body jsonb) returns text
language plpgsql immutable as $$
begin
  return (
    select left(concat_ws(' ', given.tool->>'provider', given.tool->>'model', given.tool->>'version'), 500)
    from (
      select 0 as place, p_body->'aiTool' as tool
      union all
      select 1, part.tool
      from jsonb_each(p_body->'extensions') as e(key, value), unnest(array[e.value, e.value->'tool']) as part(tool)
      where e.key like 'ext:ai@%'
    ) given
    where jsonb_typeof(given.tool->'provider') = 'string' and jsonb_typeof(given.tool->'model') = 'string'
    order by given.place limit 1);
end
$$;
