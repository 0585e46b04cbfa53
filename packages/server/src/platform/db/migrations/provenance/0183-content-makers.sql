-- Further entities that may be makers of a content, besides the creator in provenance.resource. note_makers() writes
-- the rows, and a reader tests each entity by the actions of the content. Reads and recordings go on meanwhile. Joins all
-- actions with their outputs once, and reads all actions again for the marks. Then reads only the marks and the new
-- table. Joins and sorts larger than work_mem use temporary files. A content gets rows as at a recording: none of its
-- performers if it has a creator and more than 8 actions, and at most 8 makers of each marked content.
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

insert into provenance.content_maker (project_id, cid, entity_id, created_at) select
  r.project_id, r.cid, a.performed_by, r.created_at
from provenance.action a
join provenance.action_output o on o.project_id = a.project_id and o.action_id = a.id
join provenance.resource r on r.project_id = a.project_id and r.cid = o.cid
join (select c.project_id, c.cid, count(*) as actions from provenance.action_output c group by c.project_id, c.cid) counted
  on counted.project_id = r.project_id and counted.cid = r.cid
where a.type not in ('reference', 'verify') and a.performed_by is distinct from r.created_by
  and (r.created_by is null or counted.actions <= 8)
on conflict do nothing;

-- Each marked copy, with the marked content.
create temporary table marked_copy on commit drop as select
  r.project_id, r.cid, r.created_by, r.created_at, s.cid as source, s.created_by as source_creator
from provenance.action a
left join provenance.content_alias l
  on l.project_id = a.project_id and l.alias = a.body->'extensions'->'ext:mark@1.0.0'->>'markedCid'
join provenance.resource r on r.project_id = a.project_id and r.cid = a.outputs[1]
join provenance.resource s on s.project_id = a.project_id
  and s.cid = coalesce(l.cid, a.body->'extensions'->'ext:mark@1.0.0'->>'markedCid')
where a.body->'extensions'->'ext:mark@1.0.0' ? 'markedCid' and cardinality(a.outputs) = 1 and s.cid = any(a.inputs);

insert into provenance.content_maker (project_id, cid, entity_id, created_at) select
  k.project_id, k.cid, k.source_creator, k.created_at from marked_copy k
where k.source_creator <> coalesce(k.created_by, '')
on conflict do nothing;

-- The other makers of the marked content. The content can itself be a marked copy, so the insert runs once for each mark
-- of the longest chain that a reader follows.
create temporary view further_maker as select
  k.project_id, k.cid, m.entity_id, k.created_at
from marked_copy k
join (select n.project_id, n.cid, n.entity_id,
    row_number() over (partition by n.project_id, n.cid order by n.entity_id) as nth
  from provenance.content_maker n) m on m.project_id = k.project_id and m.cid = k.source
where m.nth <= 8 and m.entity_id <> coalesce(k.created_by, '');

insert into provenance.content_maker (project_id, cid, entity_id, created_at) select * from further_maker
on conflict do nothing;
insert into provenance.content_maker (project_id, cid, entity_id, created_at) select * from further_maker
on conflict do nothing;
insert into provenance.content_maker (project_id, cid, entity_id, created_at) select * from further_maker
on conflict do nothing;

drop view further_maker;
