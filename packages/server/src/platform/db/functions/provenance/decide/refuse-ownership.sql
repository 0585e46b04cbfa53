-- Returns the reason to refuse a claim or a transfer of content; null when it can be written.
create or replace function provenance.refuse_ownership(p_project uuid, p_asked jsonb) returns jsonb
language plpgsql stable as $$
declare
  stored provenance.resource;
begin
  if p_asked is null then return null; end if;
  select * into stored from provenance.resource r
  where r.project_id = p_project and r.cid = provenance.resolve(p_project, p_asked->>'cid');
  if not found then
    return jsonb_build_object('outcome', 'unknownContent', 'cid', p_asked->>'cid');
  end if;
  if p_asked->>'kind' = 'claim' then return null; end if;
  if coalesce(stored.owner_id, stored.created_by) is distinct from p_asked->>'from' then
    return jsonb_build_object('outcome', 'ownerChanged', 'cid', p_asked->>'cid');
  end if;
  return null;
end
$$;
