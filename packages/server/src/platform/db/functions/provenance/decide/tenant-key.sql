-- Returns the key from which the service derives entity ids of the project. Stores p_fresh when the project has no key.
create or replace function provenance.tenant_key(p_project uuid, p_fresh bytea) returns bytea
language plpgsql as $$
begin
  insert into provenance.tenant (project_id, entity_key) values (p_project, p_fresh) on conflict do nothing;
  return (select entity_key from provenance.tenant where project_id = p_project);
end
$$;
