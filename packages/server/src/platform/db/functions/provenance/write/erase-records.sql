-- Replaces the bodies of records by those in p_records, with commitments in place of personal fields. Also deletes
-- titles, because a node of an earlier version does not call erase_titles(). Skips a record whose digest has changed
-- since the caller read it. Returns the number of replaced records.
create or replace function provenance.erase_records(p_project uuid, p_kind text, p_records jsonb) returns int
language plpgsql as $$
declare
  given   record;
  changed int := 0;
  made    text[];
  outputs text[] := '{}';
begin
  perform pg_advisory_xact_lock(hashtextextended(p_project::text, 1));
  for given in select * from jsonb_to_recordset(p_records) as g(id text, digest text, body jsonb) loop
    case p_kind
      when 'entity' then
        update provenance.entity r set body = given.body, salts = '{}', erasure = provenance.erasure_of(r.salts)
        where r.project_id = p_project and r.id = given.id and r.erasure is null
          and r.digest = decode(given.digest, 'hex');
      when 'action' then
        -- An action without salts has no personal fields, so PostgreSQL does not write its body again.
        update provenance.action r set body = case when r.salts = '{}' then r.body else given.body end,
          salts = '{}', fingerprint = '',
          erasure = case when r.salts = '{}' then r.erasure else provenance.erasure_of(r.salts) end
        where r.project_id = p_project and r.id = given.id::uuid and r.digest = decode(given.digest, 'hex')
        returning r.outputs into made;
      when 'attribution' then
        update provenance.attribution r set body = given.body, salts = '{}',
          erasure = provenance.erasure_of(r.salts)
        where r.project_id = p_project and r.id = given.id::uuid and r.digest = decode(given.digest, 'hex');
    end case;
    if found then
      changed := changed + 1;
      outputs := outputs || made;
    end if;
  end loop;
  delete from provenance.content_title t where t.project_id = p_project and t.cid = any(outputs);
  delete from provenance.title_word w where w.project_id = p_project and w.cid = any(outputs);
  if changed > 0 then perform provenance.note_change(p_project); end if;
  return changed;
end
$$;
