-- The log of each project: an RFC 9162 tree with a leaf for every entity, each later version of one, every action
-- and every attribution. Leaves are appended by record() alone, under the project's lock, without a gap.
create table provenance.log_leaf (
  project_id uuid not null,
  leaf_index bigint not null,
  kind       text not null check (kind in ('entity', 'action', 'attribution')),
  record_id  text not null,
  -- Of the record as it was then. An entity's later version has another, and a leaf of its own.
  digest     bytea not null,
  primary key (project_id, leaf_index)
);

-- Hashes over 256, 256^2, ... leaves: what is complete never changes, and can be made from the leaves at any time.
create table provenance.log_node (
  project_id uuid not null,
  -- 1 for nodes over 256 leaves, 2 over 256^2, ...
  tile_level smallint not null,
  node_index bigint not null,
  hash       bytea not null,
  primary key (project_id, tile_level, node_index)
);

-- Records of earlier versions are logged in the order in which they were recorded.
lock table provenance.entity, provenance.action, provenance.attribution in access exclusive mode;
insert into provenance.log_leaf (project_id, leaf_index, kind, record_id, digest)
select project_id, row_number() over (partition by project_id order by at, place, id collate "C") - 1, kind, id, digest
from (
  select project_id, created_at as at, 1 as place, 'entity' as kind, id, digest from provenance.entity
  union all
  select project_id, recorded_at, 2, 'action', id::text, digest from provenance.action
  union all
  select project_id, created_at, 3, 'attribution', id::text, digest from provenance.attribution
) recorded;

-- The leaf of the record as it stands. Not null, so that nothing is recorded without one.
alter table provenance.entity add column leaf_index bigint;
alter table provenance.action add column leaf_index bigint;
alter table provenance.attribution add column leaf_index bigint;
update provenance.entity r set leaf_index = l.leaf_index from provenance.log_leaf l
where l.project_id = r.project_id and l.kind = 'entity' and l.record_id = r.id;
update provenance.action r set leaf_index = l.leaf_index from provenance.log_leaf l
where l.project_id = r.project_id and l.kind = 'action' and l.record_id = r.id::text;
update provenance.attribution r set leaf_index = l.leaf_index from provenance.log_leaf l
where l.project_id = r.project_id and l.kind = 'attribution' and l.record_id = r.id::text;
alter table provenance.entity alter column leaf_index set not null;
alter table provenance.action alter column leaf_index set not null;
alter table provenance.attribution alter column leaf_index set not null;
