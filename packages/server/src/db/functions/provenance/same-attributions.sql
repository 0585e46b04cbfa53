-- The stored attributions with the targets, entities and roles of those given, and whether they are the very ones.
create or replace function provenance.same_attributions(p_project uuid, p_attributions jsonb) returns jsonb
language sql stable as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'created', t.id = (given->>'id')::uuid, 'attribution', provenance.attribution_json(t))), '[]')
  from jsonb_array_elements(p_attributions) given
  join provenance.attribution t on t.project_id = p_project and t.entity_id = given->'body'->>'entityId'
    and t.role = given->'body'->>'role'
    and t.action_id is not distinct from (given->'body'->>'actionId')::uuid
    and t.cid is not distinct from provenance.resolve(p_project, given->'body'->>'resourceCid')
$$;
