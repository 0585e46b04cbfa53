-- Entities are found by their name.
create index entity_name on provenance.entity (project_id, (body->>'name'), created_at desc, id desc)
  where body ? 'name';
