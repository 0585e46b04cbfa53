-- p_outputs lists {cid, state, creator, ai, tool} in the order of the actions. One SQL update can change a row only
-- once, so the nth update has the nth element of each content. The rows exist. The caller holds the project's lock.
create or replace function provenance.merge_outputs(p_project uuid, p_outputs jsonb) returns void
language plpgsql as $$
declare
  further jsonb;
begin
  for further in
    select jsonb_agg(value) from (
      select value, row_number() over (partition by value->>'cid' order by place) as nth
      from jsonb_array_elements(p_outputs) with ordinality as o(value, place)
    ) numbered
    group by nth order by nth
  loop
    update provenance.resource r set
      created_by = case when made.state = 'claimed' and r.state is distinct from 'claimed'
        then coalesce(r.created_by, made.creator) else r.created_by end,
      state = case when made.state = 'claimed' then 'claimed'
        when made.state = 'referenced' and r.created_by is not null then r.state
        else coalesce(r.state, made.state) end,
      ai = greatest(r.ai, made.ai), tool = coalesce(r.tool, made.tool)
    from jsonb_to_recordset(further) as made(cid text, state text, creator text, ai int, tool text)
    where r.project_id = p_project and r.cid = made.cid
      and (made.state = 'claimed' and r.state is distinct from 'claimed'
        or made.state = 'referenced' and r.state is null and r.created_by is null
        or made.ai > r.ai);
  end loop;
end
$$;
