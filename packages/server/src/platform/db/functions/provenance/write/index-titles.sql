-- Replaces the words of earlier titles. The caller holds the project's lock.
create or replace function provenance.index_titles(p_project uuid, p_cids text[]) returns void
language plpgsql as $$
begin
  delete from provenance.title_word w where w.project_id = p_project and w.cid = any(p_cids);
  insert into provenance.title_word (project_id, cid, word)
  select p_project, t.cid, words.word
  from provenance.content_title t, unnest(provenance.title_words(t.title)) as words(word)
  where t.project_id = p_project and t.cid = any(p_cids);
end
$$;
