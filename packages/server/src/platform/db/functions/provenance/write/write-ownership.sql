-- Stores a claim or a transfer of content after its action. A transfer changes the owner.
create or replace function provenance.write_ownership(p_project uuid, p_asked jsonb, p_action uuid) returns void
language plpgsql as $$
declare
  content constant text := provenance.resolve(p_project, p_asked->>'cid');
begin
  insert into provenance.ownership_event (project_id, action_id, cid, kind, leaf_index, signature)
  select p_project, a.id, content, p_asked->>'kind', a.leaf_index, decode(p_asked->>'signature', 'hex')
  from provenance.action a where a.project_id = p_project and a.id = p_action;
  if p_asked->>'kind' = 'transfer' then
    update provenance.resource r set owner_id = p_asked->>'to' where r.project_id = p_project and r.cid = content;
  end if;
end
$$;
