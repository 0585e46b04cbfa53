-- Returns the refusal of a request that would restore erased personal data of an entity, or compare values with it.
create or replace function provenance.erased_outcome(p_project uuid, p_entity text) returns jsonb
language sql stable as $$
  select jsonb_build_object('outcome', 'erased', 'entityId', e.id, 'erasedAt', e.erasure->>'at')
  from provenance.entity e where e.project_id = p_project and e.id = p_entity
$$;
