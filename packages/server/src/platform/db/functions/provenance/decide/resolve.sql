-- p_cid may be an alias. PL/pgSQL caches the query plan for the session.
create or replace function provenance.resolve(p_project uuid, p_cid text) returns text
language plpgsql stable as $$
begin
  return coalesce(
    (select a.cid from provenance.content_alias a where a.project_id = p_project and a.alias = p_cid), p_cid);
end
$$;
