-- Notes entities that may be makers of the outputs of actions, besides the creators in provenance.resource: performers
-- of further actions, performers of corrections, and the makers of the inputs of a mark. A marked copy also gets later
-- makers of its inputs, if one of the first 20 uses of the input made the copy. The table can have entities that are no
-- makers, so a reader tests each of them. The contents exist. The caller holds the project's lock.
create or replace function provenance.note_makers(p_project uuid, p_items jsonb) returns void
language plpgsql as $$
declare
  noted text[];
begin
  with act as materialized (
    select body->>'performedBy' as performer, body->>'type' not in ('reference', 'verify') as makes,
      coalesce(body->'extensions' ? 'ext:correction@1.0.0', false) as corrects,
      case when body->'extensions'->'ext:mark@1.0.0' ? 'markedCid' and jsonb_array_length(body->'outputCids') = 1
        then (provenance.resolve_all(p_project, body->'inputCids'))[1:20] end as marked,
      provenance.resolve_all(p_project, body->'outputCids') as outputs
    from jsonb_array_elements(p_items) i, lateral (select i.value->'action'->'body' as body offset 0) b
  ),
  written as (
    insert into provenance.content_maker (project_id, cid, entity_id, created_at)
    select distinct p_project, r.cid, candidate.id, r.created_at
    from act, unnest(act.outputs) as o(cid),
      lateral (select r.cid, r.created_by, r.created_at from provenance.resource r
        where r.project_id = p_project and r.cid = o.cid offset 0) r,
      lateral (
        select act.performer as id where act.corrects or act.makes and act.performer is distinct from r.created_by
        union all
        -- Without a creator of the input, the row of the performer shows that the copy needs a test.
        select coalesce(s.created_by, act.performer) from unnest(act.marked) as i(cid),
          lateral (select s.created_by from provenance.resource s
            where s.project_id = p_project and s.cid = i.cid offset 0) s
        where s.created_by is distinct from r.created_by
        union all
        select m.entity_id from unnest(act.marked) as i(cid),
          lateral (select m.entity_id from provenance.content_maker m
            where m.project_id = p_project and m.cid = i.cid order by m.entity_id limit 20) m
      ) candidate
    on conflict do nothing
    returning cid
  )
  select array_agg(distinct cid) into noted from written;
  -- A copy can itself be marked again.
  for depth in 1..3 loop
    exit when noted is null;
    with written as (
      insert into provenance.content_maker (project_id, cid, entity_id, created_at)
      select distinct p_project, r.cid, m.entity_id, r.created_at
      from unnest(noted[1:200]) as n(cid),
        lateral (select i.action_id from provenance.action_input i
          where i.project_id = p_project and i.cid = n.cid order by i.action_id limit 20) i,
        lateral (select a.outputs from provenance.action a
          where a.project_id = p_project and a.id = i.action_id and cardinality(a.outputs) = 1
            and case when a.weight_bytes <= 4096 then a.body->'extensions'->'ext:mark@1.0.0' ? 'markedCid' end
          offset 0) a,
        lateral (select r.cid, r.created_at from provenance.resource r
          where r.project_id = p_project and r.cid = a.outputs[1] offset 0) r,
        lateral (select m.entity_id from provenance.content_maker m
          where m.project_id = p_project and m.cid = n.cid order by m.entity_id limit 20) m
      on conflict do nothing
      returning cid
    )
    select array_agg(distinct cid) into noted from written;
  end loop;
end
$$;
