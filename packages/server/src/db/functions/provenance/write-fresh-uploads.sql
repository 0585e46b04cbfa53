-- Writes what fresh uploads bring along beside their records: other names, descriptors, soft bindings and jobs.
create or replace function provenance.write_fresh_uploads(p_project uuid, p_items jsonb) returns void
language plpgsql as $$
declare
  item jsonb;
begin
  insert into provenance.content_alias (project_id, alias, cid)
  select p_project, alias, i.value->'upload'->>'cid'
  from jsonb_array_elements(p_items) i, jsonb_array_elements_text(i.value->'upload'->'aliases') as alias;
  insert into provenance.outbox (project_id, id, kind, payload)
  select p_project, (job->>'id')::uuid, job->>'kind', job->'payload'
  from jsonb_array_elements(p_items) i, jsonb_array_elements(i.value->'jobs') as job;
  for item in
    select value from jsonb_array_elements(p_items)
    where value ?| array['descriptor', 'softBindings'] or value @? '$.jobs[*] ? (@.kind == "pin")'
  loop
    if item ? 'descriptor' then perform provenance.write_descriptor(p_project, item->'descriptor'); end if;
    insert into provenance.soft_binding (project_id, digest, cid)
    select p_project, decode(digest, 'hex'), item->'upload'->>'cid'
    from jsonb_array_elements_text(item->'softBindings') as digest on conflict do nothing;
    if item ? 'jobs' then perform provenance.add_pins(p_project, item->'jobs'); end if;
  end loop;
end
$$;
