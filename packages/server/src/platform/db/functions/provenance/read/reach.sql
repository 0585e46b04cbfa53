-- Returns the actions that led to a content (`ancestors`) or used it (`descendants`), nearest first. Stops when it has
-- p_limit actions. With p_depth, it returns actions up to p_depth steps away, and marks actions one step further as
-- `beyond`. With p_depth, it stops only after a complete step, so it can return more than p_limit actions. `offset 0`
-- forces index look-ups. Without it, the planner overestimates the recursion and scans complete tables.
create or replace function provenance.reach(p_project uuid, p_root text, p_direction text, p_depth int,
  p_limit int) returns table (action_id uuid, beyond boolean)
language plpgsql stable as $$
declare
  frontier text[] := array[p_root];
  seen     uuid[] := '{}';
  found_ids uuid[];
begin
  if p_depth is null then
    return query
      with recursive reached(id) as (
          select e.id from provenance.edges(p_project, p_root, p_direction) e
        union
          select e.id
          from reached,
            lateral (select case p_direction when 'ancestors' then a.inputs else a.outputs end as cids
                     from provenance.action a
                     where a.project_id = p_project and a.id = reached.id offset 0) a,
            lateral unnest(a.cids) as content(cid),
            lateral (select o.action_id as id from provenance.action_output o
                     where p_direction = 'ancestors' and o.project_id = p_project and o.cid = content.cid
                     union all
                     select i.action_id from provenance.action_input i
                     where p_direction = 'descendants' and i.project_id = p_project and i.cid = content.cid
                     offset 0) e
      )
      select reached.id, false from reached limit p_limit;
    return;
  end if;

  for level in 1..p_depth + 1 loop
    select array_agg(distinct e.id) into found_ids
    from unnest(frontier) as content(cid), lateral provenance.edges(p_project, content.cid, p_direction) e
    where e.id <> all(seen);
    exit when found_ids is null;
    return query select unnest(found_ids), level > p_depth;
    seen := seen || found_ids;
    exit when cardinality(seen) >= p_limit;
    select array_agg(distinct content.cid) into frontier
    from unnest(found_ids) as reached(id),
      lateral (select case p_direction when 'ancestors' then a.inputs else a.outputs end as cids
               from provenance.action a
               where a.project_id = p_project and a.id = reached.id offset 0) a,
      lateral unnest(a.cids) as content(cid);
    exit when frontier is null;
  end loop;
end
$$;
