-- Who names what: a map from each name of content to the actions that name it, so that a history can be shown to be
-- whole. It is made from the leaves of the log by those who ask for a proof (log/mention-index.ts), never by record().
create table provenance.mention_index (
  project_id uuid primary key,
  -- The map is of the actions among the first so many leaves.
  leaves     bigint not null default 0,
  names      bigint not null default 0
);

create table provenance.mention (
  project_id uuid not null,
  -- SHA-256 of the name as actions have it.
  name_key   bytea not null,
  made_count bigint not null,
  made_head  bytea not null,
  used_count bigint not null,
  used_head  bytea not null,
  -- SHA-256 of the four columns before.
  value      bytea not null,
  leaf_hash  bytea not null,
  primary key (project_id, name_key)
);

-- Roots over the names whose keys begin with 1 byte and with 2 bytes.
create table provenance.mention_node (
  project_id uuid not null,
  prefix     bytea not null,
  hash       bytea not null,
  primary key (project_id, prefix)
);

-- What the log says of the map: each row is a leaf of the kind `mentions`.
create table provenance.mention_statement (
  project_id uuid not null,
  leaf_index bigint not null,
  leaves     bigint not null,
  names      bigint not null,
  root       bytea not null,
  primary key (project_id, leaf_index)
);

alter table provenance.log_leaf drop constraint log_leaf_kind_check;
alter table provenance.log_leaf add constraint log_leaf_kind_check
  check (kind in ('entity', 'action', 'attribution', 'mentions'));
