-- Writes nothing and returns false when an item needs decide(). p_kept {scope, fingerprint, outcome} can be null.
create or replace function provenance.record_fresh_batch(p_project uuid, p_batch jsonb, p_expected jsonb, p_kept jsonb)
returns boolean
language plpgsql set jit = off set plan_cache_mode = force_generic_plan as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(p_project::text, 1));
  if provenance.items_needing_serial_write(p_project, p_expected) <> '{}' then return false; end if;
  perform provenance.write_fresh(p_project, p_batch, provenance.recording_time(p_project), false);
  if p_kept is not null then perform provenance.keep_outcome(p_project, p_kept, p_kept->'outcome'); end if;
  perform provenance.note_growth(p_project);
  return true;
end
$$;
