-- The outcome of an item that was just written.
create or replace function provenance.written(p_project uuid, p_item jsonb, p_made text[], p_outputs text[])
returns jsonb language sql stable as $$
  select jsonb_build_object(
    'outcome', 'recorded',
    'entities', (
      select coalesce(jsonb_agg(jsonb_build_object('id', e.id, 'created', e.id = any(p_made), 'entity', e.body)), '[]')
      from jsonb_array_elements(coalesce(p_item->'entities', '[]')) given
      join provenance.entity e on e.project_id = p_project and e.id = given->>'id'),
    'attributions', case when p_item ? 'action' then '[]'::jsonb else (
      select coalesce(jsonb_agg(jsonb_build_object('created', t.id = (given->>'id')::uuid, 'attribution', t.body)), '[]')
      from jsonb_array_elements(coalesce(p_item->'attributions', '[]')) given
      join provenance.attribution t on t.project_id = p_project and t.entity_id = given->'body'->>'entityId'
        and t.role = given->'body'->>'role'
        and t.action_id is not distinct from (given->'body'->>'actionId')::uuid
        and t.cid is not distinct from provenance.resolve(p_project, given->'body'->>'resourceCid')) end,
    'action', (
      select provenance.action_json(a) from provenance.action a
      where a.project_id = p_project and a.id = (p_item->'action'->>'id')::uuid),
    'resources', (
      select coalesce(jsonb_agg(provenance.resource_json(r)), '[]') from provenance.resource r
      where r.project_id = p_project and r.cid = any(p_outputs)))
$$;
