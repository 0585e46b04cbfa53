-- Calls by key, day and status; what a project stored and recorded is summed over them.
create table control.usage_day (
  project_id       uuid not null,
  -- A key's id, `static:...` for one of the configuration, or `other`.
  key_id           text not null,
  -- In UTC.
  day              date not null,
  status           smallint not null,
  calls            bigint not null,
  bytes_stored     bigint not null,
  actions_recorded bigint not null,
  primary key (project_id, day, key_id, status)
);

-- The newest calls of each project.
create table control.request_log (
  project_id    uuid not null,
  -- A UUID of version 7: newer calls have larger ones.
  id            uuid not null,
  -- Method and route template.
  endpoint      text not null,
  resource_type text,
  status_code   smallint not null,
  key_id        text not null,
  at            timestamptz not null,
  primary key (project_id, id)
);

-- The last batch of each process, so that one whose answer was lost is not added twice.
create table control.usage_batch (
  meter_id uuid primary key,
  number   bigint not null,
  at       timestamptz not null default now()
);
