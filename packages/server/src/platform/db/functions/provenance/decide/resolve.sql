-- Returns the canonical CID of content; p_cid may be an alias. The language is plpgsql, which plans the query once
-- per session; SQL functions with a query are planned at each use.
create or replace function provenance.resolve(p_project uuid, p_cid text) returns text
language plpgsql stable as $$
begin
  return coalesce(
    (select a.cid from provenance.content_alias a where a.project_id = p_project and a.alias = p_cid), p_cid);
end
$$;
