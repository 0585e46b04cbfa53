-- Further entities that may be makers of a content, besides the creator in provenance.resource. note_makers() writes
-- the rows, and a reader tests each entity by the actions of the content. Reads and recordings go on meanwhile.
set local statement_timeout = 0;

create table provenance.content_maker (
  project_id uuid not null,
  -- Canonical.
  cid        text not null,
  entity_id  text not null,
  -- Time of the content, for lists in this order.
  created_at timestamptz not null,
  primary key (project_id, cid, entity_id)
);

create index content_maker_created on provenance.content_maker (project_id, entity_id, created_at, cid);

insert into provenance.content_maker (project_id, cid, entity_id, created_at) select distinct
  r.project_id, r.cid, a.performed_by, r.created_at
from provenance.action a
join provenance.action_output o on o.project_id = a.project_id and o.action_id = a.id
join provenance.resource r on r.project_id = a.project_id and r.cid = o.cid
where a.type not in ('reference', 'verify') and a.performed_by is distinct from r.created_by
on conflict do nothing;

-- The makers of the inputs of marks. If an input has no maker, the row of the performer shows that the copy needs a
-- test.
insert into provenance.content_maker (project_id, cid, entity_id, created_at) select distinct
  r.project_id, r.cid, coalesce(made.performed_by, a.performed_by), r.created_at
from provenance.action a
cross join lateral unnest(a.inputs) as i(cid)
join provenance.resource r on r.project_id = a.project_id and r.cid = a.outputs[1]
left join provenance.action_output o on o.project_id = a.project_id and o.cid = i.cid
left join provenance.action made
  on made.project_id = a.project_id and made.id = o.action_id and made.type not in ('reference', 'verify')
where a.body->'extensions'->'ext:mark@1.0.0'->>'aiDisclosure' is not null and cardinality(a.outputs) = 1
  and a.body->'extensions'->'ext:mark@1.0.0' ? 'markedCid' and made.performed_by is distinct from r.created_by
on conflict do nothing;
