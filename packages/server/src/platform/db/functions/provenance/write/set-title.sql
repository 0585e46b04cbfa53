-- p_cid may be an alias. Returns the canonical CID, or null when the project does not know the content.
create or replace function provenance.set_title(p_project uuid, p_cid text, p_title text) returns text
language plpgsql as $$
declare
  root text;
begin
  -- With the lock, no recording can make the canonical CID an alias meanwhile.
  perform pg_advisory_xact_lock(hashtextextended(p_project::text, 1));
  root := provenance.resolve(p_project, p_cid);
  if not provenance.knows(p_project, root) then return null; end if;
  if p_title is null then
    delete from provenance.content_title t where t.project_id = p_project and t.cid = root;
  else
    insert into provenance.content_title as t (project_id, cid, title) values (p_project, root, p_title)
    on conflict (project_id, cid) do update set title = excluded.title where t.title <> excluded.title;
  end if;
  if found then
    perform provenance.index_titles(p_project, array[root]);
    perform provenance.note_change(p_project);
  end if;
  return root;
end
$$;
