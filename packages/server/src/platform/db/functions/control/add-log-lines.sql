-- Keeps only the newest 1,000 lines of each affected project. The order of the projects prevents deadlocks.
create or replace function control.add_log_lines(p_lines jsonb) returns void
language plpgsql as $$
declare
  project     uuid;
  oldest_kept uuid;
begin
  insert into control.request_log (project_id, id, endpoint, resource_type, status_code, key_id, at)
  select l."projectId", l.id, l.endpoint, l."resourceType", l."statusCode", l."keyId", l.at
  from jsonb_to_recordset(p_lines) as l(
    "projectId" uuid, id uuid, endpoint text, "resourceType" text, "statusCode" smallint, "keyId" text,
    at timestamptz);

  for project in
    select distinct (line->>'projectId')::uuid as id from jsonb_array_elements(p_lines) line order by id
  loop
    select l.id into oldest_kept from control.request_log l where l.project_id = project
    order by l.id desc offset 999 limit 1;
    delete from control.request_log l where l.project_id = project and l.id < oldest_kept;
  end loop;
end
$$;
