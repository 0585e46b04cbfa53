-- Adds pin jobs for the next p_limit contents after p_after, except for finished or pending pins at p_provider.
create or replace function provenance.queue_pins(p_project uuid, p_provider text, p_after text, p_limit int)
returns table (contents int, last text, queued int)
language plpgsql as $$
declare
  jobs jsonb;
begin
  -- Recordings also write pins, and take the same lock.
  perform pg_advisory_xact_lock(hashtextextended(p_project::text, 1));
  with page as (
    select r.cid, r.content_digest, r.mime_type from provenance.resource r
    where r.project_id = p_project and r.cid > p_after and r.content_digest is not null
    order by r.cid limit p_limit)
  select count(*)::int, max(page.cid), coalesce(jsonb_agg(jsonb_build_object(
      'id', gen_random_uuid(), 'kind', 'pin', 'payload', jsonb_build_object(
        'provider', p_provider, 'cid', page.cid, 'contentDigest', encode(page.content_digest, 'hex'),
        'mimeType', coalesce(page.mime_type, 'application/octet-stream'))))
    filter (where p.job_id is null or (p.pinned_at is null and not exists (
      select from provenance.outbox o
      where o.project_id = p_project and o.id = p.job_id and o.state = 'pending'))), '[]')
  into contents, last, jobs
  from page left join provenance.pin p
    on p.project_id = p_project and p.cid = page.cid and p.provider = p_provider;

  delete from provenance.outbox o using provenance.pin p, jsonb_array_elements(jobs) j
  where p.project_id = p_project and p.cid = j->'payload'->>'cid' and p.provider = p_provider
    and o.project_id = p_project and o.id = p.job_id and o.state = 'failed';
  insert into provenance.outbox (project_id, id, kind, payload)
  select p_project, (j->>'id')::uuid, j->>'kind', j->'payload' from jsonb_array_elements(jobs) j;
  perform provenance.add_pins(p_project, jobs);
  queued := jsonb_array_length(jobs);
  return next;
end
$$;
