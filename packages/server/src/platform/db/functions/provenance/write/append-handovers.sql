-- Appends those hand-overs of log keys that the project's log lacks. Returns the number of new leaves.
create or replace function provenance.append_handovers(p_project uuid) returns integer
language plpgsql as $$
declare
  handed   record;
  leaf     bigint;
  appended integer := 0;
begin
  perform pg_advisory_xact_lock(hashtextextended(p_project::text, 1));
  for handed in
    select k.sequence, k.digest from provenance.log_key k
    where k.digest is not null and not exists (
      select from provenance.log_handover_leaf l where l.project_id = p_project and l.sequence = k.sequence)
    order by k.sequence
  loop
    leaf := provenance.log_size(p_project);
    insert into provenance.log_leaf (project_id, leaf_index, kind, record_id, digest)
    values (p_project, leaf, 'mentions', leaf::text, handed.digest);
    insert into provenance.mention_statement (project_id, leaf_index, leaves, names, root, version)
    values (p_project, leaf, -1, 0, handed.digest, 0);
    insert into provenance.log_handover_leaf (project_id, sequence, leaf_index)
    values (p_project, handed.sequence, leaf);
    appended := appended + 1;
  end loop;
  if appended > 0 then perform provenance.note_growth(p_project); end if;
  return appended;
end
$$;
