-- Records a batch of one project: an outcome for each item, in order. The one write path of all records.
-- Recordings of a project are serialised here, so that every decision sees all that was recorded before it.
-- Statements below are planned once for a connection, and without code made for them: the planner expects a hundred
-- items with a hundred names each.
create or replace function provenance.record(p_project uuid, p_batch jsonb) returns jsonb
language plpgsql set jit = off set plan_cache_mode = force_generic_plan as $$
declare
  at       timestamptz;
  part     record;
  outcomes jsonb[] := '{}';
begin
  perform pg_advisory_xact_lock(hashtextextended(p_project::text, 1));
  -- Each item is recorded a microsecond after the one before it.
  at := clock_timestamp();
  if jsonb_array_length(p_batch) = 1 then
    outcomes := provenance.record_in_turn(p_project, p_batch, at);
  else
    for part in select * from provenance.parts(p_batch, array(
      select place from jsonb_array_elements(p_batch) with ordinality as given(item, place)
      where not provenance.is_plain(item)))
    loop
      outcomes := outcomes || case
        when part.is_apart then provenance.record_in_turn(p_project, part.items, at + part.since)
        else provenance.record_plain(p_project, part.items, at + part.since) end;
    end loop;
  end if;
  perform provenance.note_growth(p_project);
  return to_jsonb(outcomes);
end
$$;
