-- Every key begins with project_id: no statement crosses projects, and it is the shard key.
-- body is the record as it was digested; the other columns index it.
-- record() is the one that writes, and checks references itself: foreign keys would check them once more.

create table provenance.tenant (
  project_id uuid primary key,
  -- Keys the entity ids that are derived from names, so that an id reveals no name.
  entity_key bytea not null
);

create table provenance.entity (
  project_id uuid not null,
  id         text not null,
  role       text not null,
  body       jsonb not null,
  digest     bytea not null,
  salts      jsonb not null,
  created_at timestamptz not null,
  primary key (project_id, id)
);
create index entity_created on provenance.entity (project_id, created_at desc, id desc);
create index entity_role on provenance.entity (project_id, role, created_at desc, id desc);

create table provenance.action (
  project_id   uuid not null,
  id           uuid not null,
  type         text not null,
  performed_by text not null,
  session_id   text,
  -- Content under its canonical names; body keeps the names that the caller used.
  inputs       text[] not null,
  outputs      text[] not null,
  body         jsonb not null,
  digest       bytea not null,
  salts        jsonb not null,
  -- SHA-256 of the request: the same id with another request is a conflict.
  fingerprint  bytea not null,
  -- Size of the JSON recorded with it, entities and attributions included; histories are cut by it.
  weight_bytes int not null,
  recorded_at  timestamptz not null,
  primary key (project_id, id)
);
create index action_recorded on provenance.action (project_id, recorded_at desc, id desc);
create index action_type on provenance.action (project_id, type, recorded_at desc, id desc);
create index action_performer on provenance.action (project_id, performed_by, recorded_at desc, id desc);
create index action_session on provenance.action (project_id, session_id, recorded_at desc, id desc)
  where session_id is not null;

-- Reverse edges, content to action; the forward edges are the arrays of the action.
create table provenance.action_input (
  project_id uuid not null,
  cid        text not null,
  action_id  uuid not null,
  primary key (project_id, cid, action_id)
);
create table provenance.action_output (
  project_id uuid not null,
  cid        text not null,
  action_id  uuid not null,
  primary key (project_id, cid, action_id)
);

create table provenance.resource (
  project_id     uuid not null,
  cid            text not null,
  type           text not null,
  mime_type      text,
  size_bytes     bigint,
  -- SHA-256 of the whole content, once its bytes were stored here.
  content_digest bytea,
  state          text check (state in ('claimed', 'referenced')),
  created_by     text,
  root_action    uuid not null,
  created_at     timestamptz not null,
  primary key (project_id, cid)
);

-- Other names of recorded content: alias -> canonical CID.
create table provenance.content_alias (
  project_id uuid not null,
  alias      text not null,
  cid        text not null,
  primary key (project_id, alias)
);

create table provenance.attribution (
  project_id uuid not null,
  id         uuid not null,
  entity_id  text not null,
  action_id  uuid,
  cid        text,
  role       text not null,
  body       jsonb not null,
  digest     bytea not null,
  salts      jsonb not null,
  created_at timestamptz not null,
  primary key (project_id, id),
  check (num_nonnulls(action_id, cid) >= 1),
  unique nulls not distinct (project_id, action_id, cid, entity_id, role)
);
create index attribution_created on provenance.attribution (project_id, created_at desc, id desc);
create index attribution_content on provenance.attribution (project_id, cid) where cid is not null;
create index attribution_entity on provenance.attribution (project_id, entity_id, created_at desc, id desc);

-- What was answered to a request with an Idempotency-Key, kept for a day.
create table provenance.idempotency (
  project_id  uuid not null,
  -- SHA-256 over the API key's id, method, path and the caller's key.
  scope       bytea not null,
  fingerprint bytea not null,
  outcome     jsonb not null,
  created_at  timestamptz not null default now(),
  primary key (project_id, scope)
);
create index idempotency_created on provenance.idempotency (project_id, created_at);
