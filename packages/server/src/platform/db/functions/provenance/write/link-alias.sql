-- Records of p_alias then refer to p_cid. The caller has checked their number and size with refuse_aliases().
create or replace function provenance.link_alias(p_project uuid, p_alias text, p_cid text) returns void
language plpgsql as $$
begin
  insert into provenance.content_alias (project_id, alias, cid) values (p_project, p_alias, p_cid)
  on conflict do nothing;
  if not found then return; end if;

  -- Resolves the body again, which removes duplicates: an action can name both p_alias and p_cid.
  update provenance.action a set inputs = provenance.resolve_all(p_project, a.body->'inputCids')
  from provenance.action_input i
  where i.project_id = p_project and i.cid = p_alias and a.project_id = p_project and a.id = i.action_id;
  update provenance.action a set outputs = provenance.resolve_all(p_project, a.body->'outputCids')
  from provenance.action_output o
  where o.project_id = p_project and o.cid = p_alias and a.project_id = p_project and a.id = o.action_id;

  insert into provenance.action_input (project_id, cid, action_id)
  select p_project, p_cid, i.action_id from provenance.action_input i
  where i.project_id = p_project and i.cid = p_alias on conflict do nothing;
  delete from provenance.action_input i where i.project_id = p_project and i.cid = p_alias;
  insert into provenance.action_output (project_id, cid, action_id)
  select p_project, p_cid, o.action_id from provenance.action_output o
  where o.project_id = p_project and o.cid = p_alias on conflict do nothing;
  delete from provenance.action_output o where o.project_id = p_project and o.cid = p_alias;

  -- The title of the canonical content stays, if it has one.
  insert into provenance.content_title (project_id, cid, title)
  select p_project, p_cid, t.title from provenance.content_title t
  where t.project_id = p_project and t.cid = p_alias on conflict do nothing;
  delete from provenance.content_title t where t.project_id = p_project and t.cid = p_alias;
  perform provenance.index_titles(p_project, array[p_alias, p_cid]);

  update provenance.ownership_event e set cid = p_cid where e.project_id = p_project and e.cid = p_alias;

  -- There are two subqueries, with and without an action, because each of the two can use the unique index.
  -- One condition `u.action_id is not distinct from t.action_id` could not use this index. PostgreSQL could then
  -- compare each attribution with all attributions of p_cid.
  update provenance.attribution t set cid = p_cid
  where t.project_id = p_project and t.cid = p_alias and case
    when t.action_id is null then (
      select u.id from provenance.attribution u
      where u.project_id = p_project and u.action_id is null and u.cid = p_cid and u.entity_id = t.entity_id
        and u.role = t.role)
    else (
      select u.id from provenance.attribution u
      where u.project_id = p_project and u.action_id = t.action_id and u.cid = p_cid and u.entity_id = t.entity_id
        and u.role = t.role) end is null;

  perform provenance.merge_resource(p_project, p_alias, p_cid);
end
$$;
