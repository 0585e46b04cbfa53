-- Updates the revision before anchor_due, as other transactions do: this order prevents deadlocks. The caller holds the
-- project's lock.
create or replace function provenance.note_growth(p_project uuid) returns void
language plpgsql as $$
declare
  grown constant bigint := provenance.log_size(p_project);
begin
  if grown <= (select d.size from provenance.anchor_due d where d.project_id = p_project) then return; end if;
  perform provenance.note_change(p_project);
  update provenance.anchor_due d set size = grown where d.project_id = p_project;
  if found then return; end if;
  insert into provenance.anchor_due (project_id, size, origin)
  values (p_project, grown, provenance.origin_of(p_project));
end
$$;
