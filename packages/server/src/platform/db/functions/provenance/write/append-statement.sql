-- Appends a statement of the version p_version (2 or later) about the project's map. Returns the index of its leaf.
create or replace function provenance.append_statement(p_project uuid, p_version int, p_covers bigint, p_names bigint,
  p_root bytea, p_digest bytea) returns bigint
language plpgsql as $$
declare
  leaf bigint;
begin
  -- A map with gaps lacks roots over 1-byte prefixes. The statement of a node of an earlier version would be wrong.
  if exists (select from provenance.record_map where project_id = p_project and has_gaps) then
    raise 'The map of project % has gaps: send the request to a node of the newest version', p_project;
  end if;
  perform pg_advisory_xact_lock(hashtextextended(p_project::text, 1));
  leaf := provenance.log_size(p_project);
  insert into provenance.log_leaf (project_id, leaf_index, kind, record_id, digest)
  values (p_project, leaf, 'mentions', leaf::text, p_digest);
  insert into provenance.mention_statement (project_id, leaf_index, leaves, names, root, version, covers)
  values (p_project, leaf, -1, p_names, p_root, p_version, p_covers);
  perform provenance.note_growth(p_project);
  return leaf;
end
$$;
