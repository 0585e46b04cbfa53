-- Whether the project has recorded anything of a content, under its canonical CID.
create or replace function provenance.knows(p_project uuid, p_cid text) returns boolean
language plpgsql stable as $$
begin
  return exists (select from provenance.resource r where r.project_id = p_project and r.cid = p_cid)
    or exists (select from provenance.action_input i where i.project_id = p_project and i.cid = p_cid);
end
$$;
