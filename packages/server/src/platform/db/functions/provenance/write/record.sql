-- Records items one after the other, and returns an outcome per item. Recordings of a project are serialised by its lock:
-- every decision sees all earlier records. The settings make PostgreSQL plan the statements inside once per connection,
-- and compile none of them: their estimates, a hundred items with a hundred names each, would make it compile.
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
