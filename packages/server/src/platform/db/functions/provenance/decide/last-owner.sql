create or replace function provenance.last_owner(p_project uuid, p_cid text) returns text
language sql stable as $$
  select a.body->'extensions'->'ext:ownership:transfer@1.0.0'->>'toEntityId'
  from provenance.ownership_event e
  join provenance.action a on a.project_id = p_project and a.id = e.action_id
  where e.project_id = p_project and e.cid = p_cid and e.kind = 'transfer'
  order by e.leaf_index desc limit 1
$$;
