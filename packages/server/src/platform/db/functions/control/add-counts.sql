-- The order of the keys prevents deadlocks between processes.
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
