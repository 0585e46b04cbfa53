-- The canonical CID of content that may be named by an alias.
-- In plpgsql, which plans it once for a session: a function of SQL with a query in it is planned at each use.
create or replace function provenance.resolve(p_project uuid, p_cid text) returns text
language plpgsql stable as $$
begin
  return coalesce(
    (select a.cid from provenance.content_alias a where a.project_id = p_project and a.alias = p_cid), p_cid);
end
$$;
