create table control.project (
  id         uuid primary key,
  name       text not null,
  created_at timestamptz not null default now()
);

create table control.api_key (
  id         uuid primary key,
  project_id uuid not null references control.project,
  -- SHA-256 of the key; the key itself is shown once and kept nowhere.
  key_digest bytea not null unique,
  prefix     text not null,
  name       text not null,
  permission text not null check (permission in ('read', 'write', 'admin')),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz
);
create index api_key_project on control.api_key (project_id);
