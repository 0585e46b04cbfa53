-- Canonical CIDs, in order, each once.
create or replace function provenance.resolve_all(p_project uuid, p_cids jsonb) returns text[]
language sql stable as $$
  select coalesce(array_agg(named.cid order by named.place), '{}')
  from (
    select coalesce(a.cid, given.cid) as cid, min(given.place) as place
    from jsonb_array_elements_text(p_cids) with ordinality as given(cid, place)
    left join provenance.content_alias a on a.project_id = p_project and a.alias = given.cid
    group by 1
  ) named
$$;
