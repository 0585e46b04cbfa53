-- Returns the anchor of only this leaf, otherwise the anchor of the smallest anchored head that includes the leaf.
create or replace function provenance.anchor_of(p_project uuid, p_leaf bigint) returns setof provenance.anchor_head
-- `rows 1`: with the default estimate, the planner would read all anchors for each leaf.
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
