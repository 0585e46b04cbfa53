-- Returns the number of leaves of the project's log. This is also the index of the next leaf.
create or replace function provenance.log_size(p_project uuid) returns bigint
language plpgsql stable as $$
begin
  return (select coalesce(max(leaf_index) + 1, 0) from provenance.log_leaf where project_id = p_project);
end
$$;
