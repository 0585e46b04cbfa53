-- The canonical CID of content that may be named by an alias.
create or replace function provenance.resolve(p_project uuid, p_cid text) returns text
language sql stable as $$
  select coalesce(
    (select a.cid from provenance.content_alias a where a.project_id = p_project and a.alias = p_cid), p_cid)
$$;
