-- Returns whether an action from p_inputs to p_outputs would make content its own ancestor. Only content that an action
-- has consumed can be an ancestor, so the check of a new output is one index look-up.
create or replace function provenance.creates_cycle(p_project uuid, p_inputs text[], p_outputs text[])
returns boolean language plpgsql stable as $$
begin
  if p_inputs && p_outputs then return true; end if;
  if cardinality(p_inputs) = 0 or not exists (
    select from unnest(p_outputs) as output(cid)
    where (select i.action_id from provenance.action_input i
           where i.project_id = p_project and i.cid = output.cid order by i.action_id limit 1) is not null
  ) then
    return false;
  end if;
  return exists (
    -- The recursion alternates between rows of content and rows of actions, and `union` removes duplicates. So the work
    -- grows with the number of edges, not with the number of pairs of inputs and outputs.
    with recursive ancestor(action_id, cid) as (
        select null::uuid, unnest(p_inputs)
      union
        select next.action_id, next.cid
        from ancestor,
          lateral (select o.action_id, null::text as cid from provenance.action_output o
                   where o.project_id = p_project and o.cid = ancestor.cid
                   union all
                   select null, input.cid
                   from provenance.action a, unnest(a.inputs) as input(cid)
                   where a.project_id = p_project and a.id = ancestor.action_id
                   offset 0) next
    )
    select from ancestor where cid = any(p_outputs)
  );
end
$$;
