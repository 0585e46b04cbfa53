-- Writes new entities with one statement per table. Returns an outcome per item, with only the id of the entity. Each
-- item has one entity and nothing else. The ids are distinct. Entity n gets the time p_at + (n - 1) µs. The caller holds
-- the project's lock.
create or replace function provenance.write_new_entities(p_project uuid, p_items jsonb, p_at timestamptz)
returns jsonb[] language plpgsql as $$
declare
  size    constant bigint := provenance.log_size(p_project);
  written jsonb[];
begin
  with draft as materialized (
    select i.place, i.value->'entities'->0 as draft, size + i.place - 1 as leaf_index
    from jsonb_array_elements(p_items) with ordinality as i(value, place)
  ),
  leaves as (
    insert into provenance.log_leaf (project_id, leaf_index, kind, record_id, digest)
    select p_project, leaf_index, 'entity', draft->>'id', decode(draft->>'digest', 'hex') from draft
  ),
  made as (
    insert into provenance.entity as e (project_id, id, role, body, digest, salts, created_at, leaf_index)
    select p_project, draft->>'id', draft->'body'->>'role', draft->'body', decode(draft->>'digest', 'hex'),
      draft->'salts', p_at + (place - 1) * interval '1 microsecond', leaf_index
    from draft order by place
    returning e.leaf_index, e.id
  )
  select array_agg(jsonb_build_object('outcome', 'recorded', 'attributions', '[]'::jsonb, 'action', null,
    'resources', '[]'::jsonb, 'entities', jsonb_build_array(jsonb_build_object('id', made.id, 'created', true)))
    order by made.leaf_index)
  into written
  from made;
  return written;
end
$$;
