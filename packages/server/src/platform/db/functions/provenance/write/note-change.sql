-- Increases the project's revision, at most once per transaction. The clock in microseconds is the lower bound, so that
-- no number occurs twice, even after an earlier backup is restored.
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
