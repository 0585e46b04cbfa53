-- p_cid is canonical. `order by` and `limit` make the planner use the index. With `exists`, it could scan the table for
-- a CID that many actions consumed.
create or replace function provenance.knows(p_project uuid, p_cid text) returns boolean
language plpgsql stable as $$
begin
  return exists (select from provenance.resource r where r.project_id = p_project and r.cid = p_cid)
    or (select i.action_id from provenance.action_input i
        where i.project_id = p_project and i.cid = p_cid order by i.action_id limit 1) is not null;
end
$$;
