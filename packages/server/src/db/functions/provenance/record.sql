-- Records a batch of one project: an outcome for each item, in order. The one write path of all records.
-- Recordings of a project are serialised here, so that every decision sees all that was recorded before it.
create or replace function provenance.record(p_project uuid, p_batch jsonb) returns jsonb
language plpgsql as $$
declare
  item     jsonb;
  outcome  jsonb;
  outcomes jsonb[] := '{}';
begin
  perform pg_advisory_xact_lock(hashtextextended(p_project::text, 1));
  for item in select value from jsonb_array_elements(p_batch) with ordinality order by ordinality loop
    outcome := provenance.decide(p_project, item);
    if outcome is null then
      outcome := provenance.write_item(p_project, item);
    elsif outcome->>'outcome' = 'replayed' and item ? 'idempotency'
      and provenance.idempotent_outcome(p_project, item->'idempotency') is null
    then
      perform provenance.keep_outcome(p_project, item->'idempotency', outcome);
    end if;
    outcomes := array_append(outcomes, outcome);
  end loop;
  perform provenance.note_growth(p_project);
  return to_jsonb(outcomes);
end
$$;
