-- Orders the project's log to be anchored as far as it has grown. Called by record() under the project's lock.
create or replace function provenance.note_growth(p_project uuid) returns void
language plpgsql as $$
begin
  insert into provenance.anchor_due as d (project_id, size) values (p_project, provenance.log_size(p_project))
  on conflict (project_id) do update set size = excluded.size where d.size < excluded.size;
end
$$;
