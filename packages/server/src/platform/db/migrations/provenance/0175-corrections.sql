-- The last correction of the action that made a content, and its performer, which the library shows as the creator. The
-- performer is null if the correction only refers to the content. A content without a correction has no row. A
-- correction changes no owner, so created_by of the content stays.
create table provenance.content_correction (
  project_id uuid not null,
  -- Canonical.
  cid        text not null,
  action_id  uuid not null,
  creator    text,
  -- The time of the content, for the order of lists.
  created_at timestamptz not null,
  primary key (project_id, cid)
);

create index content_correction_creator on provenance.content_correction
  (project_id, creator, created_at desc, cid desc) where creator is not null;

set local statement_timeout = 0;

-- Corrections of the first action of a content that were recorded earlier.
with recursive correction as materialized (
  select c.project_id, c.body->'extensions'->'ext:correction@1.0.0'->>'actionId' as named, c.id, c.type, c.performed_by,
    c.outputs, c.leaf_index
  from provenance.action c where c.body->'extensions' ? 'ext:correction@1.0.0'
), chain as (
  select r.project_id, r.cid, r.created_at, c.id, c.type, c.performed_by, c.leaf_index
  from correction c
  join provenance.resource r on r.project_id = c.project_id and r.cid = any(c.outputs)
  join provenance.action a on a.project_id = r.project_id and a.id = r.root_action
  where c.named = r.root_action::text and c.leaf_index > a.leaf_index and r.cid = any(a.outputs)
    and coalesce(r.created_by, a.performed_by) = a.performed_by
  union all
  select chain.project_id, chain.cid, chain.created_at, c.id, c.type, c.performed_by, c.leaf_index
  from chain join correction c on c.project_id = chain.project_id and c.named = chain.id::text
  where c.leaf_index > chain.leaf_index and chain.cid = any(c.outputs)
)
insert into provenance.content_correction (project_id, cid, action_id, creator, created_at)
select distinct on (chain.project_id, chain.cid) chain.project_id, chain.cid, chain.id,
  case when chain.type not in ('reference', 'verify') then chain.performed_by end, chain.created_at
from chain
order by chain.project_id, chain.cid, chain.leaf_index desc;
