-- Records a batch of one project: an outcome for each item, in order.
-- Recordings of a project are serialised here, so that every decision sees all that was recorded before it.
-- Statements below are planned once for a connection, and without code made for them: the planner expects a hundred
-- items with a hundred names each.
create or replace function provenance.record(p_project uuid, p_batch jsonb) returns jsonb
language plpgsql set jit = off set plan_cache_mode = force_generic_plan as $$
declare
  outcomes jsonb[];
begin
  perform pg_advisory_xact_lock(hashtextextended(p_project::text, 1));
  outcomes := provenance.record_each(p_project, p_batch, provenance.recording_time(p_project));
  perform provenance.note_growth(p_project);
  return to_jsonb(outcomes);
end
$$;
