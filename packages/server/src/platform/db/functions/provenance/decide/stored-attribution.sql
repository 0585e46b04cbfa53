-- Returns the stored attribution with the target, entity and role of p_body, or null. Each look-up reads one entry of
-- the unique index: the first whose role is equal to the requested role or follows it. In this form, the planner uses
-- the unique index at every table size. An absent target needs a separate branch with `is null`.
create or replace function provenance.stored_attribution(p_project uuid, p_body jsonb) returns uuid
language plpgsql stable as $$
declare
  named   constant text := p_body->>'entityId';
  wanted  constant text := p_body->>'role';
  made_by constant uuid := (p_body->>'actionId')::uuid;
  content constant text := provenance.resolve(p_project, p_body->>'resourceCid');
  found_id   uuid;
  found_role text;
begin
  if made_by is null then
    select t.id, t.role into found_id, found_role from provenance.attribution t
    where t.project_id = p_project and t.action_id is null and t.cid = content and t.entity_id = named
      and t.role >= wanted
    order by t.action_id, t.role limit 1;
  elsif content is null then
    select t.id, t.role into found_id, found_role from provenance.attribution t
    where t.project_id = p_project and t.action_id = made_by and t.cid is null and t.entity_id = named
      and t.role >= wanted
    order by t.cid, t.role limit 1;
  else
    select t.id, t.role into found_id, found_role from provenance.attribution t
    where t.project_id = p_project and t.action_id = made_by and t.cid = content and t.entity_id = named
      and t.role >= wanted
    order by t.role limit 1;
  end if;
  return case when found_role = wanted then found_id end;
end
$$;
