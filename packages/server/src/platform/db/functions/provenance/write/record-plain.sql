-- Records actions that bring nothing else along, as many as can be by one statement for each table; the first at p_at,
-- and each of the others a microsecond later. Called by record() alone.
create or replace function provenance.record_plain(p_project uuid, p_items jsonb, p_at timestamptz) returns jsonb[]
language plpgsql as $$
declare
  part     record;
  written  jsonb[];
  outcomes jsonb[] := '{}';
begin
  for part in select * from provenance.parts(p_items, provenance.places_apart(p_project, p_items)) loop
    if part.is_apart then
      outcomes := outcomes || provenance.record_in_turn(p_project, part.items, p_at + part.since);
    else
      written := provenance.write_actions(p_project, part.items, p_at + part.since);
      perform provenance.keep_outcome(p_project, item->'idempotency', written[place])
      from jsonb_array_elements(part.items) with ordinality as given(item, place) where item ? 'idempotency';
      outcomes := outcomes || written;
    end if;
  end loop;
  return outcomes;
end
$$;
