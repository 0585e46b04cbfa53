-- The sums of usage_day by project and month. The totals of a project with many keys need few rows.
create table control.usage_month (
  project_id   uuid not null,
  -- The first day of the month, in UTC.
  month        date not null,
  calls        bigint not null,
  bytes_stored bigint not null,
  primary key (project_id, month)
);
set local statement_timeout = 0;
-- Every write of usage locks a row of this table first. So a running write ends before the sums are read, and a later
-- write uses the function below.
lock table control.usage_batch in exclusive mode;
insert into control.usage_month (project_id, month, calls, bytes_stored)
select project_id, date_trunc('month', day)::date, sum(calls), sum(bytes_stored)
from control.usage_day group by 1, 2;
-- Same function as in the functions of this version, so that no write falls between the sums and the new function.
create or replace function control.add_counts(p_counts jsonb) returns void
language sql as $$
  insert into control.usage_day as known
    (project_id, day, key_id, status, calls, bytes_stored, actions_recorded)
  select c."projectId", c.day, c."keyId", c.status, c.calls, c."bytesStored", c."actionsRecorded"
  from jsonb_to_recordset(p_counts) as c(
    "projectId" uuid, day date, "keyId" text, status smallint,
    calls bigint, "bytesStored" bigint, "actionsRecorded" bigint)
  order by 1, 2, 3, 4
  on conflict (project_id, day, key_id, status) do update
  set calls = known.calls + excluded.calls,
    bytes_stored = known.bytes_stored + excluded.bytes_stored,
    actions_recorded = known.actions_recorded + excluded.actions_recorded;
  insert into control.usage_month as known (project_id, month, calls, bytes_stored)
  select c."projectId", date_trunc('month', c.day)::date, sum(c.calls), sum(c."bytesStored")
  from jsonb_to_recordset(p_counts) as c("projectId" uuid, day date, calls bigint, "bytesStored" bigint)
  group by 1, 2 order by 1, 2
  on conflict (project_id, month) do update
  set calls = known.calls + excluded.calls, bytes_stored = known.bytes_stored + excluded.bytes_stored
$$;
