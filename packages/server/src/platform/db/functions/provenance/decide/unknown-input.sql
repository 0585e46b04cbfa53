create or replace function provenance.unknown_input(p_project uuid, p_inputs jsonb) returns text
language plpgsql stable as $$
begin
  return (
    select input.cid from unnest(provenance.resolve_all(p_project, p_inputs)) as input(cid)
    where not provenance.knows(p_project, input.cid)
    limit 1);
end
$$;
