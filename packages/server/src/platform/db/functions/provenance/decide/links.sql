-- Returns the contents of the action p_action, or at most p_limit actions of the content p_cid. `order by` and `limit`
-- make the planner read the index only as far as the caller needs.
create or replace function provenance.links(p_project uuid, p_action uuid, p_cid text, p_direction text, p_limit int)
returns table (action_id uuid, cid text) language sql stable as $$
  (select o.action_id, null::text from provenance.action_output o
   where p_direction = 'ancestors' and o.project_id = p_project and o.cid = p_cid
   order by o.action_id limit p_limit)
  union all
  (select i.action_id, null from provenance.action_input i
   where p_direction = 'descendants' and i.project_id = p_project and i.cid = p_cid
   order by i.action_id limit p_limit)
  union all
  select null, content.cid
  from (select case p_direction when 'ancestors' then a.inputs else a.outputs end as cids
        from provenance.action a
        where a.project_id = p_project and a.id = p_action offset 0) a,
    unnest(a.cids) as content(cid)
$$;
