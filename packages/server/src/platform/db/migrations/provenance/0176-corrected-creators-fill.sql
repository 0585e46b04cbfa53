-- Fills the columns of 0175 for corrections of the first action of a content. The index replaces resource_creator, so a
-- recording writes as many indexes as before. Recordings wait while the index is built.
set local statement_timeout = 0;

with recursive correction as materialized (
  select c.project_id, c.body->'extensions'->'ext:correction@1.0.0'->>'actionId' as named, c.id, c.type, c.performed_by,
    c.outputs, c.leaf_index
  from provenance.action c where c.body->'extensions' ? 'ext:correction@1.0.0'
), chain as (
  select r.project_id, r.cid, c.id, c.type, c.performed_by, c.leaf_index
  from correction c
  join provenance.resource r on r.project_id = c.project_id and r.cid = any(c.outputs)
  join provenance.action a on a.project_id = r.project_id and a.id = r.root_action
  where c.named = r.root_action::text and c.leaf_index > a.leaf_index and r.cid = any(a.outputs)
    and coalesce(r.created_by, a.performed_by) = a.performed_by
  union all
  select chain.project_id, chain.cid, c.id, c.type, c.performed_by, c.leaf_index
  from chain join correction c on c.project_id = chain.project_id and c.named = chain.id::text
  where c.leaf_index > chain.leaf_index and chain.cid = any(c.outputs)
)
update provenance.resource r set corrected_in = last.id,
  corrected_creator = case when last.type in ('reference', 'verify') then '' else last.performed_by end
from (
  select distinct on (chain.project_id, chain.cid) chain.* from chain
  order by chain.project_id, chain.cid, chain.leaf_index desc
) last
where r.project_id = last.project_id and r.cid = last.cid;

drop index provenance.resource_creator;
create index resource_creator on provenance.resource
  (project_id, (coalesce(corrected_creator, created_by)), created_at desc, cid desc)
  where coalesce(corrected_creator, created_by) is not null;
