-- Records a batch of one project all together or not at all: when one item is refused, or p_is_trial, nothing is
-- written. Gives the outcomes as record() does.
create or replace function provenance.record_all(p_project uuid, p_batch jsonb, p_is_trial boolean) returns jsonb
language plpgsql as $$
declare
  outcomes jsonb;
begin
  begin
    outcomes := provenance.record(p_project, p_batch);
    if p_is_trial or exists (
      select from jsonb_array_elements(outcomes) o where o->>'outcome' not in ('recorded', 'replayed')
    ) then
      raise exception using errcode = 'P0C01', message = 'taken back';
    end if;
  exception when sqlstate 'P0C01' then
    -- What was written is taken back; the outcomes stay.
    null;
  end;
  return outcomes;
end
$$;
