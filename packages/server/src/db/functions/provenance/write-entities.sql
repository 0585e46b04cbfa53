-- Makes the entities that are not there yet; tells of each whether it was made, and how it is stored.
create or replace function provenance.write_entities(p_project uuid, p_entities jsonb, p_at timestamptz)
returns jsonb language plpgsql as $$
declare
  made text[];
begin
  with fresh as (
    insert into provenance.entity (project_id, id, role, body, digest, salts, created_at)
    select p_project, e->>'id', e->'body'->>'role', e->'body', decode(e->>'digest', 'hex'), e->'salts', p_at
    from jsonb_array_elements(p_entities) e
    on conflict do nothing
    returning id
  )
  select coalesce(array_agg(id), '{}') into made from fresh;
  return (
    select jsonb_agg(jsonb_build_object('id', e.id, 'created', e.id = any(made), 'entity', e.body))
    from jsonb_array_elements(p_entities) given
    join provenance.entity e on e.project_id = p_project and e.id = given->>'id');
end
$$;
