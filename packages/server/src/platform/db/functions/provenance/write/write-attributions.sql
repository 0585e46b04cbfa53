-- Each item has only one attribution. No two items have the same entity, role and target. The entities and targets
-- exist, and no target is an alias. For an attribution that is already stored, returns the id of the stored one. Item n
-- gets the time p_at + (n - 1) µs. The caller holds the project's lock.
create or replace function provenance.write_attributions(p_project uuid, p_items jsonb, p_at timestamptz)
returns jsonb[] language plpgsql as $$
declare
  drafts  constant jsonb := jsonb_path_query_array(p_items, '$[*].attributions[0]');
  size    constant bigint := provenance.log_size(p_project);
  written jsonb[];
begin
  with given as materialized (
    select i.place, i.draft->>'id' as id, i.draft->'salts' as salts, decode(i.draft->>'digest', 'hex') as digest,
      parts.body, named.*, case when same.role = named.role then same.id end as stored
    from jsonb_array_elements(drafts) with ordinality as i(draft, place),
      lateral (select i.draft->'body' as body offset 0) parts,
      lateral (select parts.body->>'entityId' as entity_id, (parts.body->>'actionId')::uuid as action_id,
        parts.body->>'resourceCid' as cid, parts.body->>'role' as role offset 0) named
    -- These are the look-ups of stored_attribution(), without a call for each item.
    left join lateral (
      (select t.id, t.role from provenance.attribution t
       where named.action_id is null and t.project_id = p_project and t.action_id is null and t.cid = named.cid
         and t.entity_id = named.entity_id and t.role >= named.role
       order by t.action_id, t.role limit 1)
      union all
      (select t.id, t.role from provenance.attribution t
       where named.cid is null and t.project_id = p_project and t.action_id = named.action_id and t.cid is null
         and t.entity_id = named.entity_id and t.role >= named.role
       order by t.cid, t.role limit 1)
      union all
      (select t.id, t.role from provenance.attribution t
       where t.project_id = p_project and t.action_id = named.action_id and t.cid = named.cid
         and t.entity_id = named.entity_id and t.role >= named.role
       order by t.role limit 1)
    ) same on true
  ),
  fresh as materialized (
    select *, size + row_number() over (order by place) - 1 as leaf_index from given where stored is null
  ),
  leaves as (
    insert into provenance.log_leaf (project_id, leaf_index, kind, record_id, digest)
    select p_project, leaf_index, 'attribution', id, digest from fresh
  ),
  made as (
    insert into provenance.attribution (project_id, id, entity_id, action_id, cid, role, body, digest, salts,
      created_at, leaf_index)
    select p_project, id::uuid, entity_id, action_id, cid, role, body, digest, salts,
      p_at + (place - 1) * interval '1 microsecond', leaf_index
    from fresh
  )
  select array_agg(jsonb_build_object('outcome', 'recorded', 'entities', '[]'::jsonb, 'attributions', jsonb_build_array(
    jsonb_build_object('created', stored is null,
      'attribution', jsonb_build_object('id', coalesce(stored::text, id), 'entityId', entity_id)))) order by place)
  into written
  from given;
  perform provenance.note_ai_credits(p_project, drafts);
  return written;
end
$$;
