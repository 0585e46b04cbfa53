-- Writes nothing when one item is refused or p_is_trial is true. Returns an outcome per item, in order.
create or replace function provenance.record_all_or_none(p_project uuid, p_items jsonb, p_expected jsonb,
  p_is_trial boolean) returns jsonb
language plpgsql set jit = off set plan_cache_mode = force_generic_plan as $$
declare
  outcomes jsonb[];
begin
  perform pg_advisory_xact_lock(hashtextextended(p_project::text, 1));
  begin
    outcomes := case
      when p_expected is null
      then provenance.record_decided(p_project, p_items, provenance.recording_time(p_project))
      else provenance.record_runs(p_project, p_items, p_expected) end;
    perform provenance.note_growth(p_project);
    if p_is_trial or exists (
      select from unnest(outcomes) outcome where outcome->>'outcome' not in ('recorded', 'replayed')
    ) then
      raise exception using errcode = 'P0C01', message = 'rolled back';
    end if;
  exception when sqlstate 'P0C01' then
    -- The exception undoes the writes, but the variable still has the outcomes.
    null;
  end;
  return to_jsonb(outcomes);
end
$$;
