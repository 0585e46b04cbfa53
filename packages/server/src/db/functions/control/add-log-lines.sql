-- Adds log lines and keeps the newest 1,000 of each project that has new ones. A line that another process is
-- removing is left to it.
create or replace function control.add_log_lines(p_lines jsonb) returns void
language plpgsql as $$
begin
  insert into control.request_log (project_id, id, endpoint, resource_type, status_code, key_id, at)
  select l."projectId", l.id, l.endpoint, l."resourceType", l."statusCode", l."keyId", l.at
  from jsonb_to_recordset(p_lines) as l(
    "projectId" uuid, id uuid, endpoint text, "resourceType" text, "statusCode" smallint, "keyId" text,
    at timestamptz);

  delete from control.request_log gone where (gone.project_id, gone.id) in (
    select old.project_id, old.id
    from (select distinct (l->>'projectId')::uuid as id from jsonb_array_elements(p_lines) l) project
    cross join lateral (
      select n.id from control.request_log n where n.project_id = project.id
      order by n.id desc offset 999 limit 1) oldest_kept
    join control.request_log old on old.project_id = project.id and old.id < oldest_kept.id
    for update of old skip locked);
end
$$;
