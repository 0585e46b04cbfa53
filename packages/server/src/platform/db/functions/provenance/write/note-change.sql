-- Increases the revision at most once per transaction. A revision is at least the time in microseconds, so that none
-- occurs twice, even after a restore of a backup.
create or replace function provenance.note_change(p_project uuid) returns void
language plpgsql as $$
declare
  clock constant bigint := extract(epoch from clock_timestamp()) * 1000000;
begin
  if current_setting('provenance.changed', true) = p_project::text then return; end if;
  update provenance.revision r set number = greatest(r.number + 1, clock) where r.project_id = p_project;
  if not found then
    insert into provenance.revision as r (project_id, number) values (p_project, clock)
    on conflict (project_id) do update set number = greatest(r.number + 1, excluded.number);
  end if;
  perform set_config('provenance.changed', p_project::text, true);
end
$$;
