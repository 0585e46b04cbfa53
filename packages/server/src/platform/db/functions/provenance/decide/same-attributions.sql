-- Returns the stored attributions that have the same target, entity and role as one of p_attributions. `created` is
-- true when they also have the same id. Each look-up reads the first role that is not less than the requested one, in
-- index order. So the planner uses the unique index at every table size. An absent target needs a separate branch with
-- `is null`. If the transaction has the setting `provenance.in_brief`, each attribution has only its id and its entity.
create or replace function provenance.same_attributions(p_project uuid, p_attributions jsonb) returns jsonb
language plpgsql stable as $$
declare
  in_brief constant boolean := coalesce(current_setting('provenance.in_brief', true), '') = 'on';
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'created', found.id = (given.draft->>'id')::uuid, 'attribution', case
        when in_brief then jsonb_build_object('id', found.id, 'entityId', found.entity_id)
        else (select provenance.attribution_json(t) from provenance.attribution t
          where t.project_id = p_project and t.id = found.id) end)
      order by given.place), '[]')
    from jsonb_array_elements(p_attributions) with ordinality as given(draft, place),
      lateral (select given.draft->'body'->>'entityId' as entity_id, given.draft->'body'->>'role' as role,
        (given.draft->'body'->>'actionId')::uuid as action_id,
        provenance.resolve(p_project, given.draft->'body'->>'resourceCid') as cid offset 0) key,
      lateral (
        select case
          when key.action_id is null then (
            select t.id from provenance.attribution t
            where t.project_id = p_project and t.action_id is null and t.cid = key.cid and t.entity_id = key.entity_id
              and t.role >= key.role
            order by t.action_id, t.role limit 1)
          when key.cid is null then (
            select t.id from provenance.attribution t
            where t.project_id = p_project and t.action_id = key.action_id and t.cid is null
              and t.entity_id = key.entity_id and t.role >= key.role
            order by t.cid, t.role limit 1)
          else (
            select t.id from provenance.attribution t
            where t.project_id = p_project and t.action_id = key.action_id and t.cid = key.cid
              and t.entity_id = key.entity_id and t.role >= key.role
            order by t.role limit 1) end as id
        offset 0) next,
      lateral (select t.id, t.entity_id, t.role from provenance.attribution t
        where t.project_id = p_project and t.id = next.id offset 0) found
    where found.role = key.role);
end
$$;
