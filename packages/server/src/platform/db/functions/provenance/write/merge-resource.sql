-- The merged resource gets the root action and the time of the older resource. If the creators differ, it has one of
-- them, and content_maker has both.
create or replace function provenance.merge_resource(p_project uuid, p_alias text, p_cid text) returns void
language plpgsql as $$
declare
  other  provenance.resource;
  makers text[];
begin
  delete from provenance.resource r where r.project_id = p_project and r.cid = p_alias returning * into other;
  if not found then return; end if;
  other.cid := p_cid;
  makers := array(
    select m.entity_id from provenance.content_maker m
    where m.project_id = p_project and m.cid in (p_alias, p_cid)
    union
    select unnest(array[r.created_by, other.created_by]) from provenance.resource r
    where r.project_id = p_project and r.cid = p_cid and r.created_by <> other.created_by);
  insert into provenance.resource as r (project_id, cid, type, mime_type, size_bytes, content_digest, state, created_by,
    root_action, created_at, extensions, owner_id, ai, tool)
  values (other.project_id, other.cid, other.type, other.mime_type, other.size_bytes, other.content_digest, other.state,
    other.created_by, other.root_action, other.created_at, other.extensions, other.owner_id, other.ai, other.tool)
  on conflict (project_id, cid) do update set
    state = case when 'claimed' in (r.state, excluded.state) then 'claimed' else coalesce(r.state, excluded.state) end,
    type = case when r.type = 'other' then excluded.type else r.type end,
    created_by = case
      when r.state is distinct from 'claimed' and excluded.state = 'claimed'
        then coalesce(excluded.created_by, r.created_by)
      else coalesce(r.created_by, excluded.created_by) end,
    extensions = nullif(coalesce(excluded.extensions, '{}') || coalesce(r.extensions, '{}'), '{}'),
    owner_id = case when r.owner_id is null or excluded.owner_id is null then coalesce(r.owner_id, excluded.owner_id)
      else provenance.last_owner(p_project, p_cid) end,
    root_action = case when excluded.created_at < r.created_at then excluded.root_action else r.root_action end,
    created_at = least(r.created_at, excluded.created_at),
    ai = greatest(r.ai, excluded.ai),
    tool = coalesce(r.tool, excluded.tool);
  if makers = '{}' then return; end if;
  delete from provenance.content_maker m where m.project_id = p_project and m.cid in (p_alias, p_cid);
  insert into provenance.content_maker (project_id, cid, entity_id, created_at)
  select p_project, p_cid, maker, r.created_at from provenance.resource r, unnest(makers) as maker
  where r.project_id = p_project and r.cid = p_cid;
end
$$;
