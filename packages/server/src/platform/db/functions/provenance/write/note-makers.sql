-- Adds rows to provenance.content_maker: entities that may be makers of the outputs of actions, besides the creators in
-- provenance.resource. These entities are:
--   performers of further actions
--   performers of corrections, also for marked copies of the corrected content
--   for a marked copy, the makers of its original
-- For a content with more than 8 actions, readers name only its creator. So such a content gets rows only if it has no
-- creator. An entity in the table may be no maker, so readers check each entity. The caller holds the project's lock.
create or replace function provenance.note_makers(p_project uuid, p_items jsonb) returns void
language plpgsql as $$
declare
  mark record;
begin
  insert into provenance.content_maker (project_id, cid, entity_id, created_at)
  select p_project, r.cid, act.performer, r.created_at
  from (
      select body->>'performedBy' as performer, body->>'type' not in ('reference', 'verify') as makes,
        coalesce(body->'extensions' ? 'ext:correction@1.0.0', false) as corrects,
        provenance.resolve_all(p_project, body->'outputCids') as outputs
      from jsonb_array_elements(p_items) i, lateral (select i.value->'action'->'body' as body offset 0) b offset 0
    ) act,
    lateral (
      select o.cid from unnest(act.outputs) as o(cid)
      union all
      (select a.outputs[1] from unnest(act.outputs) as o(cid),
        lateral (select i.action_id from provenance.action_input i
          where i.project_id = p_project and i.cid = o.cid order by i.action_id limit 8) used,
        lateral (select a.outputs from provenance.action a
          where a.project_id = p_project and a.id = used.action_id and cardinality(a.outputs) = 1
            and case when a.weight_bytes <= 4096 then a.body->'extensions'->'ext:mark@1.0.0' ? 'markedCid' end
          offset 0) a
      where act.corrects limit 8)
    ) made,
    lateral (select r.cid, r.created_by, r.created_at from provenance.resource r
      where r.project_id = p_project and r.cid = made.cid offset 0) r
  where (act.makes or act.corrects) and act.performer is distinct from r.created_by
    and (r.created_by is null or 8 >= (select count(*) from (select from provenance.action_output o
      where o.project_id = p_project and o.cid = r.cid order by o.action_id limit 9) few))
  on conflict do nothing;
  -- The order of the actions matters: the original of a copy can itself be a marked copy that an earlier action of this
  -- request made.
  for mark in
    select outputs[1] as copy, source from jsonb_array_elements(p_items) with ordinality as i(value, place),
      lateral (select i.value->'action'->'body' as body offset 0) b,
      lateral (select provenance.resolve_all(p_project, body->'outputCids') as outputs,
        provenance.resolve(p_project, body->'extensions'->'ext:mark@1.0.0'->>'markedCid') as source offset 0) named
    where body->'extensions'->'ext:mark@1.0.0' ? 'markedCid' and cardinality(outputs) = 1
      and source = any(provenance.resolve_all(p_project, body->'inputCids'))
    order by place
  loop
    insert into provenance.content_maker (project_id, cid, entity_id, created_at)
    select p_project, r.cid, maker.id, r.created_at
    from provenance.resource r, lateral (
        select s.created_by as id from provenance.resource s where s.project_id = p_project and s.cid = mark.source
        union all
        (select m.entity_id from provenance.content_maker m where m.project_id = p_project and m.cid = mark.source
          order by m.entity_id limit 8)
      ) maker
    where r.project_id = p_project and r.cid = mark.copy and maker.id <> coalesce(r.created_by, '')
    on conflict do nothing;
  end loop;
end
$$;
