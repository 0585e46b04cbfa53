-- Returns the project's key for entity ids. Stores p_fresh when the project has none.
create or replace function provenance.tenant_key(p_project uuid, p_fresh bytea) returns bytea
language plpgsql as $$
begin
  insert into provenance.tenant (project_id, entity_key) values (p_project, p_fresh) on conflict do nothing;
  return (select entity_key from provenance.tenant where project_id = p_project);
end
$$;
