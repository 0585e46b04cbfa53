-- For each content of a project, the first entry is the publication that the public detector shows. Recordings and reads go
-- on while the indexes are built, but publications wait.
set local statement_timeout = 0;

create index publication_of_content on control.publication (cid, project_id, expires_at desc nulls first, created_at, id)
  where revoked_at is null;
-- Only the publications that make a manifest public.
create index open_publication_of_content
  on control.publication (cid, project_id, expires_at desc nulls first, created_at, id)
  where revoked_at is null and titles and withhold = '[]'::jsonb;
