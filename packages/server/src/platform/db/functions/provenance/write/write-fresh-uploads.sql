create or replace function provenance.write_fresh_uploads(p_project uuid, p_items jsonb) returns void
language plpgsql as $$
begin
  insert into provenance.content_alias (project_id, alias, cid)
  select p_project, alias, i.value->'upload'->>'cid'
  from jsonb_array_elements(p_items) i, jsonb_array_elements_text(i.value->'upload'->'aliases') as alias;
  if p_items @? '$[*].upload.title' then
    perform provenance.write_titles(p_project, p_items);
  end if;
  if p_items @? '$[*].descriptor' then
    perform provenance.write_descriptors(p_project,
      jsonb_path_query_array(p_items, '$[*].descriptor'));
  end if;
  if p_items @? '$[*].softBindings[*]' then
    insert into provenance.soft_binding (project_id, digest, cid)
    select p_project, decode(digest, 'hex'), i.value->'upload'->>'cid'
    from jsonb_array_elements(p_items) i, jsonb_array_elements_text(i.value->'softBindings') as digest
    on conflict do nothing;
  end if;
  if p_items @? '$[*].jobs[*]' then
    insert into provenance.outbox (project_id, id, kind, payload)
    select p_project, (job->>'id')::uuid, job->>'kind', job->'payload'
    from jsonb_array_elements(p_items) i, jsonb_array_elements(i.value->'jobs') as job;
  end if;
  if p_items @? '$[*].jobs[*] ? (@.kind == "pin")' then
    perform provenance.add_pins(p_project, jsonb_path_query_array(p_items, '$[*].jobs[*]'));
  end if;
end
$$;
