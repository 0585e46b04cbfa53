-- The map of version 2: from each identifier of content to the actions and attributions that name it, and from each
-- action to its attributions. Proofs build it from the leaves of the log, in portions; record() never writes it. Nodes
-- of an earlier version use only the tables of the map of version 1 (mention_index, mention, mention_node).
create table provenance.record_map (
  project_id uuid primary key,
  -- The map covers this many leaves from the start of the log.
  leaves     bigint not null default 0,
  names      bigint not null default 0
);

create table provenance.record_map_entry (
  project_id uuid not null,
  -- SHA-256 of the identifier, or of a zero byte and the id of the action.
  name_key   bytea not null,
  -- Count (8 bytes) and head of each chain: made, used and attributed of an identifier; attributed of an action.
  chains     bytea not null,
  leaf_hash  bytea not null,
  primary key (project_id, name_key)
);

-- Roots over the keys that begin with 1 byte and with 2 bytes.
create table provenance.record_map_node (
  project_id uuid not null,
  prefix     bytea not null,
  hash       bytea not null,
  primary key (project_id, prefix)
);

-- Statements of version 2 have `leaves` -1, because a node of an earlier version takes the newest row for its own
-- statement if `leaves` matches its map. `covers` has their number of leaves.
alter table provenance.mention_statement
  add column version smallint not null default 1,
  add column covers bigint;
create index mention_statement_version on provenance.mention_statement (project_id, version, leaf_index);
