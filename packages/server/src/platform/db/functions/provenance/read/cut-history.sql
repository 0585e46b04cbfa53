-- Returns as many actions from the beginning of p_actions as fit into about p_max_bytes of JSON, with all related
-- records. Always returns the first action. If the attributions of this action do not all fit, returns as many of them
-- as fit.
create or replace function provenance.cut_history(p_project uuid, p_actions uuid[], p_cids text[], p_max_bytes bigint,
  out kept_actions uuid[], out kept_attributions uuid[], out whole boolean)
language plpgsql stable as $$
declare
  -- Approximate JSON size of a resource without extensions.
  resource_bytes constant bigint := 500;
begin
  with acts as materialized (
    select *
    from (
      select given.place, a.*, sum(a.weight_bytes) over (order by given.place) as sum_bytes
      from unnest(p_actions) with ordinality as given(id, place),
        lateral (select a.id, a.performed_by, a.inputs, a.outputs, a.weight_bytes from provenance.action a
                 where a.project_id = p_project and a.id = given.id offset 0) a
    ) summed
    where sum_bytes <= p_max_bytes or place = 1
  ),
  -- Each row below has the position (`place`) of the first action that refers to it. An attribution of a listed action
  -- has the position of that action. Any other attribution has the position of its content.
  content as materialized (
    select cid, min(place) as place
    from (select unnest(p_cids) as cid, 1 as place union all select unnest(outputs || inputs), place from acts) named
    group by cid
  ),
  shown as materialized (
    select id, coalesce(min(place) filter (where is_named), min(place)) as place, min(entity_id) as entity_id,
      min(weight_bytes) as weight_bytes
    from (
      select acts.place, true as is_named, t.*
      from acts, lateral (select t.id, t.entity_id, t.weight_bytes from provenance.attribution t
                          where t.project_id = p_project and t.action_id = acts.id offset 0) t
      union all
      select content.place, false, t.*
      from content, lateral (select t.id, t.entity_id, t.weight_bytes from provenance.attribution t
                             where t.project_id = p_project and t.cid = content.cid offset 0) t
    ) found
    group by id
  ),
  entities as materialized (
    select named.*, e.weight_bytes
    from (
      select id, min(place) as place
      from (select performed_by as id, place from acts union all select entity_id, place from shown) each_named
      group by id
    ) named,
      lateral (select e.weight_bytes from provenance.entity e
               where e.project_id = p_project and e.id = named.id offset 0) e
  ),
  sums as (
    select place, sum(sum(bytes)) over (order by place) as sum_bytes
    from (
      select place, weight_bytes::bigint as bytes from acts
      union all select place, resource_bytes + coalesce(r.extension_bytes, 0)
      from content left join provenance.resource r on r.project_id = p_project and r.cid = content.cid
      union all select place, weight_bytes from shown
      union all select place, weight_bytes from entities
    ) parts
    group by place
  ),
  last as (
    select greatest(1, max(place) filter (where sum_bytes <= p_max_bytes)) as place from sums
  ),
  weighed as (
    select id, sum(weight_bytes + entity_bytes) over (order by place, id) as sum_bytes
    from (
      select shown.*, case when row_number() over (partition by entity_id order by shown.place, shown.id) = 1
        then entities.weight_bytes else 0 end as entity_bytes
      from shown join entities on entities.id = shown.entity_id
      where shown.place <= (select place from last)
    ) each_once
  )
  select
    coalesce((select array_agg(id order by place) from acts where place <= (select place from last)), '{}'),
    coalesce((select array_agg(id) from weighed where sum_bytes <= p_max_bytes), '{}'),
    (select count(*) from shown) = (select count(*) from weighed where sum_bytes <= p_max_bytes)
  into kept_actions, kept_attributions, whole;
  whole := whole and cardinality(kept_actions) = cardinality(p_actions);
end
$$;
