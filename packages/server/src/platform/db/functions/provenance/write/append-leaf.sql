-- Appends the leaf of a new record. p_leaf is log_size(). The caller holds the project's lock.
create or replace function provenance.append_leaf(p_project uuid, p_leaf bigint, p_kind text, p_draft jsonb)
returns void language plpgsql as $$
begin
  insert into provenance.log_leaf (project_id, leaf_index, kind, record_id, digest)
  values (p_project, p_leaf, p_kind, p_draft->>'id', decode(p_draft->>'digest', 'hex'));
end
$$;
