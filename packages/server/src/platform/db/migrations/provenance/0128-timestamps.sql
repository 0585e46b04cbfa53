-- RFC 3161 time-stamps. `root`: over the heads of the logs of many projects. `token`: the DER of the TimeStampToken over
-- the bytes of the root. A row never changes.
create table provenance.log_timestamp (
  id         uuid        primary key,
  root       bytea       not null,
  size       bigint      not null check (size > 0),
  token      bytea       not null,
  stamped_at timestamptz not null,
  created_at timestamptz not null default now()
);

-- A project's part of a time-stamp: the head of its log of this size, its place among the heads, and the hashes from there
-- to the root (base64). `origin` is the log's name in the head.
create table provenance.log_timestamp_head (
  project_id   uuid   not null,
  size         bigint not null,
  timestamp_id uuid   not null references provenance.log_timestamp,
  origin       text   not null,
  place        bigint not null,
  path         jsonb  not null,
  primary key (project_id, size)
);
