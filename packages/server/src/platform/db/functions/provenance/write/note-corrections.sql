-- Notes in contents the corrections among p_items, which are recorded already. A correction of the action that made a
-- content, or of the last correction of this action, replaces the creator and the AI tool that the library shows. It
-- changes neither the owner nor the AI level. A correction changes at most its first 20 outputs, so that a short request
-- does not change a thousand rows. findCorrections() of the model has the same rule. The caller holds the project's lock.
create or replace function provenance.note_corrections(p_project uuid, p_items jsonb) returns void
language plpgsql as $$
declare
  given record;
begin
  for given in
    select c.id, c.type, c.performed_by, c.outputs[1:20] as outputs, c.leaf_index, named.id::uuid as corrected,
      provenance.tool_of_action(c.body) as tool
    from jsonb_array_elements(p_items) with ordinality as i(value, place),
      lateral (select i.value->'action'->'body'->'extensions'->'ext:correction@1.0.0'->>'actionId' as id) named,
      lateral (select * from provenance.action c
        where c.project_id = p_project and c.id = (i.value->'action'->>'id')::uuid offset 0) c
    where case when named.id is null then false
      else named.id ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' end
    order by i.place
  loop
    with changed as materialized (
      select r.cid, r.created_at, provenance.tool_of_action(a.body) as tool
      from provenance.action a
      join provenance.resource r on r.project_id = p_project and r.cid = any(given.outputs) and r.cid = any(a.outputs)
      left join provenance.content_correction k on k.project_id = p_project and k.cid = r.cid
      where a.project_id = p_project and a.id = given.corrected and a.leaf_index < given.leaf_index
        and case when k.action_id is not null then k.action_id = a.id
          when r.root_action = a.id then coalesce(r.created_by, a.performed_by) = a.performed_by
          -- The first action only referred to the content, and a later one made it.
          else a.type = 'create' and r.created_by = a.performed_by and (
            select f.performed_by from provenance.action f
            where f.project_id = p_project and f.id = r.root_action) <> r.created_by end
    ), noted as (
      insert into provenance.content_correction (project_id, cid, action_id, creator, created_at)
      select p_project, c.cid, given.id,
        case when given.type not in ('reference', 'verify') then given.performed_by end, c.created_at
      from changed c
      on conflict (project_id, cid) do update set action_id = excluded.action_id, creator = excluded.creator
    )
    update provenance.resource r set tool = given.tool
    from changed c
    where r.project_id = p_project and r.cid = c.cid and r.tool is not distinct from c.tool
      and r.tool is distinct from given.tool;
  end loop;
end
$$;
