-- Whether an action from p_inputs to p_outputs would make content its own ancestor.
-- Only content that some action already consumed can be an ancestor, so fresh outputs cost one index look-up.
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
    with recursive ancestor(cid) as (
        select unnest(p_inputs)
      union
        select input.cid
        from ancestor,
          lateral (select o.action_id from provenance.action_output o
                   where o.project_id = p_project and o.cid = ancestor.cid offset 0) o,
          lateral (select a.inputs from provenance.action a
                   where a.project_id = p_project and a.id = o.action_id offset 0) a,
          lateral unnest(a.inputs) as input(cid)
    )
    select from ancestor where cid = any(p_outputs)
  );
end
$$;
