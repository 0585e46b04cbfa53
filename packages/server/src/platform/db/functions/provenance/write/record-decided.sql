-- Item n gets the time p_at + (n - 1) µs. The caller holds the project's lock.
create or replace function provenance.record_decided(p_project uuid, p_items jsonb, p_at timestamptz) returns jsonb[]
language plpgsql as $$
declare
  item     jsonb;
  at       timestamptz := p_at;
  outcome  jsonb;
  outcomes jsonb[] := '{}';
begin
  for item in select value from jsonb_array_elements(p_items) with ordinality order by ordinality loop
    outcome := provenance.decide(p_project, item);
    if outcome is null then
      outcome := provenance.write_item(p_project, item, at);
    elsif outcome->>'outcome' = 'replayed' and item ? 'idempotency'
      and provenance.idempotent_outcome(p_project, item->'idempotency') is null
    then
      perform provenance.keep_outcome(p_project, item->'idempotency', outcome);
    end if;
    outcomes := array_append(outcomes, outcome);
    at := at + interval '1 microsecond';
  end loop;
  return outcomes;
end
$$;
