-- Writes attributions with one statement per table, and returns an outcome per item. Each item has one attribution and
-- nothing else. No two items have the same entity, role and target. The entities and targets exist, and no target is an
-- alias. The function does not write an attribution again that is already stored. Item n gets the time
-- p_at + (n - 1) µs. The caller holds the project's lock.
create or replace function provenance.write_attributions(p_project uuid, p_items jsonb, p_at timestamptz)
returns jsonb[] language plpgsql as $$
declare
  drafts  constant jsonb := jsonb_path_query_array(p_items, '$[*].attributions[0]');
  size    constant bigint := provenance.log_size(p_project);
  written jsonb[];
begin
  with given as materialized (
    select i.place, i.draft, i.draft->'body' as body,
      provenance.stored_attribution(p_project, i.draft->'body') as stored
    from jsonb_array_elements(drafts) with ordinality as i(draft, place)
  ),
  fresh as materialized (
    select place, draft, body, decode(draft->>'digest', 'hex') as digest,
      size + row_number() over (order by place) - 1 as leaf_index
    from given where stored is null
  ),
  leaves as (
    insert into provenance.log_leaf (project_id, leaf_index, kind, record_id, digest)
    select p_project, leaf_index, 'attribution', draft->>'id', digest from fresh
  ),
  made as (
    insert into provenance.attribution (project_id, id, entity_id, action_id, cid, role, body, digest, salts,
      created_at, leaf_index)
    select p_project, (draft->>'id')::uuid, body->>'entityId', (body->>'actionId')::uuid, body->>'resourceCid',
      body->>'role', body, digest, draft->'salts', p_at + (place - 1) * interval '1 microsecond', leaf_index
    from fresh
  )
  select array_agg(jsonb_build_object('outcome', 'recorded', 'entities', '[]'::jsonb, 'action', null,
    'resources', '[]'::jsonb, 'attributions', jsonb_build_array(jsonb_build_object('created', stored is null,
      'attribution', jsonb_build_object('id', coalesce(stored::text, draft->>'id'), 'entityId', body->'entityId'))))
    order by place)
  into written
  from given;
  perform provenance.note_ai_credits(p_project, drafts);
  return written;
end
$$;
