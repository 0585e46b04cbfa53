-- The pass of the audit that is under way, or was the last. One row.
create table provenance.audit_pass (
  only_one   boolean primary key default true check (only_one),
  number     bigint not null default 0,
  -- How far the pass has come; null between passes.
  cursor     jsonb,
  ended_at   timestamptz not null default now()
);
insert into provenance.audit_pass default values;

-- What is not as it was recorded, as the last pass saw it.
create table provenance.audit_finding (
  project_id uuid not null,
  kind       text not null,
  subject    text not null,
  problem    text not null,
  -- The pass that saw it last, and when one saw it first.
  pass       bigint not null,
  found_at   timestamptz not null default now(),
  primary key (project_id, kind, subject, problem)
);

-- The tree that the last pass saw: later ones must find it again.
create table provenance.audited_tree (
  project_id uuid primary key,
  size       bigint not null,
  root       bytea not null
);
