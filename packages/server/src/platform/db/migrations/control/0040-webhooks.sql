-- Addresses of a project that are told of what happens in it.
create table control.webhook (
  id                uuid primary key,
  project_id        uuid not null references control.project,
  url               text not null,
  description       text,
  events            text[] not null,
  -- Sealed with SECRETS_KEY; shown once.
  sealed_secret     text not null,
  -- The one before, which signs beside it until then.
  sealed_old_secret text,
  old_secret_until  timestamptz,
  disabled_at       timestamptz,
  -- `asked`, or why the service itself stopped: it was told 410 (`gone`), or nothing got through for days (`failing`).
  disabled_reason   text check (disabled_reason in ('asked', 'gone', 'failing')),
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now()
);
create index webhook_project on control.webhook (project_id, id);
