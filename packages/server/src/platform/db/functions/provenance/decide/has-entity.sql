-- p_brought: the entities of the item that refers to p_id, because the item can create them. It can be null.
create or replace function provenance.has_entity(p_project uuid, p_id text, p_brought jsonb) returns boolean
language plpgsql stable as $$
begin
  return exists (select from provenance.entity e where e.project_id = p_project and e.id = p_id)
    or p_brought is not null and exists (
      select from jsonb_array_elements(p_brought) brought where brought->>'id' = p_id);
end
$$;
