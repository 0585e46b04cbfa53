-- Returns the name of the project's log. For a log without leaves, it comes from the current service name.
create or replace function provenance.origin_of(p_project uuid) returns text
language plpgsql stable as $$
begin
  return coalesce(
    (select d.origin from provenance.anchor_due d where d.project_id = p_project),
    (select s.name || '/log/' || p_project from provenance.log_service s));
end
$$;
