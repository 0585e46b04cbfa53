-- Counts the references to content by its CID, up to p_limit, and the bytes of its actions. Each subquery reads at most
-- p_limit entries of its index.
create or replace function provenance.weigh_references(p_project uuid, p_cid text, p_limit int, out number int,
  out bytes bigint)
language plpgsql stable as $$
begin
  number := 0;
  bytes := 0;
  -- Attributions and ownership events exist only for known content.
  if not provenance.knows(p_project, p_cid) then return; end if;
  with named as materialized (
    select n.action_id from (
      (select i.action_id from provenance.action_input i
       where i.project_id = p_project and i.cid = p_cid order by i.action_id limit p_limit)
      union all
      (select o.action_id from provenance.action_output o
       where o.project_id = p_project and o.cid = p_cid order by o.action_id limit p_limit)
      union all
      (select null from provenance.attribution t
       where t.project_id = p_project and t.cid = p_cid order by t.created_at desc, t.id desc limit p_limit)
      union all
      (select null from provenance.ownership_event e
       where e.project_id = p_project and e.cid = p_cid order by e.leaf_index limit p_limit)
    ) n limit p_limit
  )
  select (select count(*) from named), coalesce((
    select sum(a.weight_bytes) from named,
      lateral (select a.weight_bytes from provenance.action a
               where a.project_id = p_project and a.id = named.action_id offset 0) a), 0)
  into number, bytes;
end
$$;
