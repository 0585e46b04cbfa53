-- Returns the anchor of a leaf of a project's log: that of the leaf itself, or of the first head that contains it.
create or replace function provenance.anchor_of(p_project uuid, p_leaf bigint) returns setof provenance.anchor_head
-- One row at most. With the default estimate, the planner would read every anchor for each leaf.
language plpgsql stable rows 1 as $$
begin
  return query select h.* from provenance.anchor_head h
  where h.project_id = p_project and h.size = p_leaf + 1 and h.path is null;
  if not found then
    return query select h.* from provenance.anchor_head h
    where h.project_id = p_project and h.size > p_leaf and h.path is not null
    order by h.size limit 1;
  end if;
end
$$;
