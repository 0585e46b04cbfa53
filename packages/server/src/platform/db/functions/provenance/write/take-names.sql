-- Makes p_aliases aliases of p_cid, also those of other content: the stored bytes prove that they belong to p_cid.
create or replace function provenance.take_names(p_project uuid, p_cid text, p_aliases jsonb) returns void
language plpgsql as $$
declare
  alias text;
begin
  delete from provenance.content_alias a
  where a.project_id = p_project and a.cid <> p_cid
    and a.alias in (select p_cid union all select jsonb_array_elements_text(p_aliases));
  for alias in select jsonb_array_elements_text(p_aliases) loop
    perform provenance.link_alias(p_project, alias, p_cid);
  end loop;
end
$$;
