-- A job with `pinned` is for content that was pinned before its recording.
create or replace function provenance.add_pins(p_project uuid, p_jobs jsonb) returns void
language sql as $$
  insert into provenance.pin as p (project_id, cid, provider, job_id, pinned_as, uri, pinned_at)
  select p_project, j->'payload'->>'cid', j->'payload'->>'provider', (j->>'id')::uuid,
    j->'payload'->'pinned'->>'cid', j->'payload'->'pinned'->>'uri',
    case when j->'payload' ? 'pinned' then now() end
  from jsonb_array_elements(p_jobs) j where j->>'kind' = 'pin'
  on conflict (project_id, cid, provider) do update set job_id = excluded.job_id,
    pinned_as = coalesce(excluded.pinned_as, p.pinned_as), uri = coalesce(excluded.uri, p.uri),
    pinned_at = coalesce(excluded.pinned_at, p.pinned_at);
  update provenance.resource r set has_pins = true
  from jsonb_array_elements(p_jobs) j
  where r.project_id = p_project and r.cid = j->'payload'->>'cid' and j->>'kind' = 'pin' and not r.has_pins
$$;
