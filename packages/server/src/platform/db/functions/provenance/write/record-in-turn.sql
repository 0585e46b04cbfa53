-- Records items one after the other, each decided when those before it are written; the first at p_at, and each of the
-- others a microsecond later. Entities that are new and come alone are written together. Called by record() alone.
create or replace function provenance.record_in_turn(p_project uuid, p_items jsonb, p_at timestamptz) returns jsonb[]
language plpgsql as $$
declare
  part     record;
  outcomes jsonb[] := '{}';
begin
  if jsonb_array_length(p_items) = 1 then return provenance.record_decided(p_project, p_items, p_at); end if;
  for part in select * from provenance.parts(p_items, provenance.places_of_new_entities(p_project, p_items)) loop
    outcomes := outcomes || case
      when part.is_apart then provenance.write_new_entities(p_project, part.items, p_at + part.since)
      else provenance.record_decided(p_project, part.items, p_at + part.since) end;
  end loop;
  return outcomes;
end
$$;
