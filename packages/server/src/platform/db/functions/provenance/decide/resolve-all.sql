-- Returns the canonical CIDs in the order of p_cids, without duplicates.
create or replace function provenance.resolve_all(p_project uuid, p_cids jsonb) returns text[]
language plpgsql stable as $$
begin
  if p_cids is null or p_cids = '[]' then return '{}'; end if;
  return (
    select array_agg(named.cid order by named.place)
    from (
      select coalesce(a.cid, given.cid) as cid, min(given.place) as place
      from jsonb_array_elements_text(p_cids) with ordinality as given(cid, place)
      left join lateral (
        select a.cid from provenance.content_alias a
        where a.project_id = p_project and a.alias = given.cid offset 0) a on true
      group by 1
    ) named);
end
$$;
