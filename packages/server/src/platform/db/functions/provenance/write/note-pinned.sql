-- Records that a pinning service stores the content p_cid under the CID p_as, and makes p_as an alias of p_cid. Makes
-- no alias in three cases: p_as identifies other stored content, the records that name p_as are too many or too large,
-- or the alias could make content its own ancestor.
create or replace function provenance.note_pinned(p_project uuid, p_cid text, p_provider text, p_as text,
  p_uri text) returns void
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(p_project::text, 1));
  update provenance.pin p set pinned_as = p_as, uri = p_uri, pinned_at = now()
  where p.project_id = p_project and p.cid = p_cid and p.provider = p_provider;
  if p_as <> p_cid
    and not exists (select from provenance.resource r
      where r.project_id = p_project and r.cid = p_as and r.content_digest is not null)
    and provenance.refuse_aliases(p_project, jsonb_build_array(p_as)) is null
    and provenance.refuse_cycle(p_project, array[p_as], array[p_cid]) is null
    and provenance.refuse_cycle(p_project, array[p_cid], array[p_as]) is null
  then
    perform provenance.link_alias(p_project, p_as, p_cid);
  end if;
end
$$;
