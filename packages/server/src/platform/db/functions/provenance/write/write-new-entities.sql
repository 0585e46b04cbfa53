-- Each item has only one entity. The ids are new and distinct. The caller holds the project's lock.
create or replace function provenance.write_new_entities(p_project uuid, p_items jsonb, p_at timestamptz)
returns jsonb[] language plpgsql as $$
declare
  size    constant bigint := provenance.log_size(p_project);
  written jsonb[];
begin
  with item as materialized (
    select i.place, size + i.place - 1 as leaf_index, draft->>'id' as id, draft->'body' as body,
      decode(draft->>'digest', 'hex') as digest, draft->'salts' as salts
    from jsonb_array_elements(p_items) with ordinality as i(value, place),
      lateral (select i.value->'entities'->0 as draft offset 0) parts
  ),
  leaves as (
    insert into provenance.log_leaf (project_id, leaf_index, kind, record_id, digest)
    select p_project, leaf_index, 'entity', id, digest from item
  ),
  made as (
    insert into provenance.entity (project_id, id, role, body, digest, salts, created_at, leaf_index)
    select p_project, id, body->>'role', body, digest, salts, p_at + (place - 1) * interval '1 microsecond', leaf_index
    from item order by place
  )
  select array_agg(jsonb_build_object('outcome', 'recorded', 'entities', jsonb_build_array(
    jsonb_build_object('id', id, 'created', true))) order by place)
  into written
  from item;
  return written;
end
$$;
