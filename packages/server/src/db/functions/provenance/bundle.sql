-- The history of one CID as the API shows it: breadth first up to p_max_actions, shown oldest first.
-- Null when the project knows nothing of it. Each step is fenced by `lateral (... offset 0)`: the planner
-- overestimates recursive queries a hundredfold and would scan whole tables.
create or replace function provenance.bundle(p_project uuid, p_cid text, p_max_actions int) returns text
language plpgsql stable as $$
declare
  root constant text := provenance.resolve(p_project, p_cid);
begin
  if not exists (select from provenance.resource r where r.project_id = p_project and r.cid = root)
    and not exists (select from provenance.action_input i where i.project_id = p_project and i.cid = root)
  then
    return null;
  end if;
  return (
    with recursive ancestor(id) as (
        select o.action_id from provenance.action_output o where o.project_id = p_project and o.cid = root
      union
        select o.action_id
        from ancestor,
          lateral (select a.inputs from provenance.action a
                   where a.project_id = p_project and a.id = ancestor.id offset 0) a,
          lateral unnest(a.inputs) as input(cid),
          lateral (select o.action_id from provenance.action_output o
                   where o.project_id = p_project and o.cid = input.cid offset 0) o
    ),
    reached as materialized (select id, row_number() over () as place from ancestor limit p_max_actions + 1),
    acts as materialized (
      select a.*
      from reached,
        lateral (select * from provenance.action a
                 where a.project_id = p_project and a.id = reached.id offset 0) a
      where reached.place <= p_max_actions
    ),
    content as materialized (
      select root as cid
      union select unnest(outputs) from acts
      union select unnest(inputs) from acts
    ),
    attribution_id as (
      select t.id from acts,
        lateral (select t.id from provenance.attribution t
                 where t.project_id = p_project and t.action_id = acts.id offset 0) t
      union
      select t.id from (select root as cid union select unnest(outputs) from acts) made,
        lateral (select t.id from provenance.attribution t
                 where t.project_id = p_project and t.cid = made.cid offset 0) t
    ),
    attributions as materialized (
      select t.* from attribution_id,
        lateral (select * from provenance.attribution t
                 where t.project_id = p_project and t.id = attribution_id.id offset 0) t
    )
    select jsonb_build_object(
      'cid', root,
      'entities', (
        select coalesce(jsonb_agg(e.body order by e.created_at, e.id), '[]')
        from (select performed_by as id from acts union select entity_id from attributions) named,
          lateral (select * from provenance.entity e
                   where e.project_id = p_project and e.id = named.id offset 0) e),
      'actions', (
        select coalesce(jsonb_agg(provenance.action_json(acts::provenance.action)
          order by acts.recorded_at, acts.id), '[]') from acts),
      'attributions', (
        select coalesce(jsonb_agg(t.body order by t.created_at, t.id), '[]') from attributions t),
      'resources', (
        select coalesce(jsonb_agg(provenance.resource_json(r) order by r.created_at, r.cid), '[]')
        from content,
          lateral (select * from provenance.resource r
                   where r.project_id = p_project and r.cid = content.cid offset 0) r),
      'complete', (select count(*) <= p_max_actions from reached)
    ) || case when (select count(*) > p_max_actions from reached)
      then jsonb_build_object('truncatedAt', p_max_actions) else '{}' end
  )::text;
end
$$;
