create or replace function provenance.edges(p_project uuid, p_cid text, p_direction text)
returns table (id uuid) language sql stable as $$
  select o.action_id from provenance.action_output o
  where p_direction = 'ancestors' and o.project_id = p_project and o.cid = p_cid
  union all
  select i.action_id from provenance.action_input i
  where p_direction = 'descendants' and i.project_id = p_project and i.cid = p_cid
$$;
