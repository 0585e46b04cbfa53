-- The order of the project ids prevents deadlocks.
create or replace function provenance.note_changed_anchor() returns trigger
language plpgsql as $$
declare
  project uuid;
begin
  for project in select distinct h.project_id from provenance.anchor_head h where h.anchor_id = new.id order by 1 loop
    perform provenance.note_change(project);
  end loop;
  return null;
end
$$;
