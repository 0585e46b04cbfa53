-- Returns whether a content, by its canonical CID, is an output of an action of the project.
create or replace function provenance.has_resource(p_project uuid, p_cid text) returns boolean
language plpgsql stable as $$
begin
  return exists (select from provenance.resource r where r.project_id = p_project and r.cid = p_cid);
end
$$;
