-- A user is known by the name that the caller's own sign-in gives; it becomes a row at its first call.
create table control.account (
  id         text primary key,
  email      text,
  name       text,
  avatar     text,
  wallet     text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table control.org (
  id         uuid primary key,
  slug       text not null,
  name       text not null,
  plan       text not null default 'free',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index org_slug on control.org (slug) where deleted_at is null;

create table control.member (
  org_id     uuid not null references control.org,
  account_id text not null references control.account,
  role       text not null check (role in ('owner', 'admin', 'developer', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (org_id, account_id)
);
create index member_account on control.member (account_id);

-- Projects of API_KEYS and of the command line belong to an organisation of the operator's own.
insert into control.account (id) values ('operator');
insert into control.org (id, slug, name) values ('00000000-0000-8000-8000-000000000000', 'local', 'Local');
insert into control.member (org_id, account_id, role)
values ('00000000-0000-8000-8000-000000000000', 'operator', 'owner');

alter table control.project
  -- Nodes of the version before name neither the organisation nor the slug.
  add column org_id uuid not null default '00000000-0000-8000-8000-000000000000' references control.org,
  add column slug text not null default 'project-' || left(replace(gen_random_uuid()::text, '-', ''), 12),
  add column description text,
  add column ai_training_opt_out boolean not null default false,
  add column signing_certificate text,
  -- Sealed with SECRETS_KEY; never shown.
  add column sealed_signing_key text,
  add column trust_anchors text,
  add column updated_at timestamptz not null default now(),
  -- A deleted project keeps its records; its keys open nothing.
  add column deleted_at timestamptz;
create unique index project_slug on control.project (org_id, slug) where deleted_at is null;

alter table control.api_key
  -- How long it was made for, and how long one lives that replaces it. Null: without end.
  add column life_days smallint,
  add column last_used_at timestamptz;

-- Counts the changes that a node must learn of at once: keys revoked, projects changed. One row.
create table control.change_count (
  only_one boolean primary key default true check (only_one),
  count    bigint not null
);
insert into control.change_count (count) values (0);

-- Written once with the change itself, never changed.
create table control.audit_entry (
  id         uuid primary key,
  org_id     uuid references control.org,
  project_id uuid references control.project,
  account_id text not null,
  action     text not null,
  target     text not null,
  details    jsonb not null,
  address    text,
  request_id text,
  at         timestamptz not null default now()
);
create index audit_entry_org on control.audit_entry (org_id, id desc);

-- Answers of requests that carried an Idempotency-Key, kept for a day.
create table control.idempotency (
  scope       bytea primary key,
  fingerprint bytea not null,
  answer      text not null,
  at          timestamptz not null default now()
);
create index idempotency_at on control.idempotency (at);
