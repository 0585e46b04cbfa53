-- For more than 100 projects, the notification names none, because its text must have less than 8,000 bytes. A node
-- then treats every project as changed.
create or replace function control.announce_project_changes(p_projects uuid[])
returns void
language plpgsql as $$
declare
  most constant int := 100;
  kept constant int := 100;
  made bigint;
begin
  if cardinality(p_projects) > most then
    perform control.announce_change();
    return;
  end if;
  update control.change_count set count = count + 1 returning count into made;
  insert into control.project_change (number, project_ids) values (made, p_projects)
    on conflict (number) do update set project_ids = excluded.project_ids;
  delete from control.project_change where number <= made - kept;
  perform pg_notify('colophon_control', array_to_string(p_projects, ','));
end
$$;
