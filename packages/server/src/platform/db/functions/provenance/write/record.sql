-- The project's lock serialises recordings, so that each decision sees all earlier records. PostgreSQL estimates too
-- many rows for JSON arrays, and would compile the statements. `jit = off` prevents this.
create or replace function provenance.record(p_project uuid, p_batch jsonb) returns jsonb
language plpgsql set jit = off set plan_cache_mode = force_generic_plan as $$
declare
  outcomes jsonb[];
begin
  perform pg_advisory_xact_lock(hashtextextended(p_project::text, 1));
  outcomes := provenance.record_decided(p_project, p_batch, provenance.recording_time(p_project));
  perform provenance.note_growth(p_project);
  return to_jsonb(outcomes);
end
$$;
