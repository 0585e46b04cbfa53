-- A title that the uploader chose replaces a stored title, and a chosen null removes it. A title from the file name
-- does not. The caller holds the project's lock, and increases the revision.
create or replace function provenance.write_titles(p_project uuid, p_items jsonb) returns void
language plpgsql as $$
begin
  if p_items @? '$[*].upload ? (@.titleIsStated == true)' then
    -- With an array, every plan uses the primary key.
    delete from provenance.content_title t
    where t.project_id = p_project and t.cid = any(array(
      select i.value->'upload'->>'cid' from jsonb_array_elements(p_items) i
      where (i.value->'upload'->>'titleIsStated')::boolean));
  end if;
  insert into provenance.content_title (project_id, cid, title)
  select p_project, i.value->'upload'->>'cid', i.value->'upload'->>'title'
  from jsonb_array_elements(p_items) i
  where i.value->'upload'->>'title' is not null
  on conflict do nothing;
  perform provenance.index_titles(p_project, array(
    select i.value->'upload'->>'cid' from jsonb_array_elements(p_items) i where i.value->'upload' ? 'title'));
end
$$;
