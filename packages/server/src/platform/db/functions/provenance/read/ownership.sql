-- Returns null when the resource does not exist. p_cid may be an alias. The list has at most p_limit events, oldest
-- first. It omits earlier events once the JSON of the newer actions has reached 2 MiB.
create or replace function provenance.ownership(p_project uuid, p_cid text, p_limit int) returns text
language plpgsql stable as $$
declare
  most_bytes constant bigint := 2097152;
  stored  provenance.resource;
  history jsonb;
  more    boolean;
begin
  select * into stored from provenance.resource r
  where r.project_id = p_project and r.cid = provenance.resolve(p_project, p_cid);
  if not found then return null; end if;
  select coalesce(jsonb_agg(provenance.action_json(a::provenance.action) order by a.leaf_index), '[]'),
    exists (
      select from provenance.ownership_event o
      where o.project_id = p_project and o.cid = stored.cid and o.leaf_index < min(a.leaf_index))
  into history, more
  from (
    select newest.action_id
    from (
      select e.action_id, sum(a.weight_bytes) over (order by e.leaf_index desc) - a.weight_bytes as bytes_before
      from (
        select e.action_id, e.leaf_index from provenance.ownership_event e
        where e.project_id = p_project and e.cid = stored.cid
        order by e.leaf_index desc limit p_limit
      ) e
      join provenance.action a on a.project_id = p_project and a.id = e.action_id
    ) newest
    where newest.bytes_before < most_bytes offset 0
  ) shown
  join provenance.action a on a.project_id = p_project and a.id = shown.action_id;
  return (jsonb_build_object(
    'cid', stored.cid,
    'registrant', (select provenance.entity_json(e) from provenance.entity e
      where e.project_id = p_project and e.id = stored.created_by),
    'currentOwner', (select provenance.entity_json(e) from provenance.entity e
      where e.project_id = p_project and e.id = coalesce(stored.owner_id, stored.created_by)),
    'neverTransferred', stored.owner_id is null,
    'lastTransfer', (
      select provenance.action_json(a) from provenance.ownership_event e
      join provenance.action a on a.project_id = p_project and a.id = e.action_id
      where e.project_id = p_project and e.cid = stored.cid and e.kind = 'transfer'
      order by e.leaf_index desc limit 1),
    'history', history,
    'complete', not more))::text;
end
$$;
