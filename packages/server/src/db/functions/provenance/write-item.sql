-- Writes one decided item. Called by record() alone, under the project's lock.
create or replace function provenance.write_item(p_project uuid, p_item jsonb) returns jsonb
language plpgsql as $$
declare
  at       constant timestamptz := clock_timestamp();
  act      constant jsonb := p_item->'action';
  upload   constant jsonb := p_item->'upload';
  made     text[];
  sources  text[];
  results  text[];
  alias    text;
  outcome  jsonb;
begin
  with fresh as (
    insert into provenance.entity (project_id, id, role, body, digest, salts, created_at)
    select p_project, e->>'id', e->'body'->>'role', e->'body', decode(e->>'digest', 'hex'), e->'salts', at
    from jsonb_array_elements(coalesce(p_item->'entities', '[]')) e
    on conflict do nothing
    returning id
  )
  select coalesce(array_agg(id), '{}') into made from fresh;

  if p_item ? 'entityUpdate' then
    update provenance.entity e set body = p_item->'entityUpdate'->'body',
      digest = decode(p_item->'entityUpdate'->>'digest', 'hex'), salts = p_item->'entityUpdate'->'salts'
    where e.project_id = p_project and e.id = p_item->'entityUpdate'->>'id';
  end if;

  if act is not null then
    for alias in select jsonb_array_elements_text(coalesce(upload->'aliases', '[]')) loop
      perform provenance.link_alias(p_project, alias, upload->>'cid');
    end loop;
    sources := provenance.resolve_all(p_project, act->'body'->'inputCids');
    results := provenance.resolve_all(p_project, act->'body'->'outputCids');

    insert into provenance.action (project_id, id, type, performed_by, session_id, inputs, outputs, body,
      digest, salts, fingerprint, weight_bytes, recorded_at)
    values (p_project, (act->>'id')::uuid, act->'body'->>'type', act->'body'->>'performedBy',
      act->'body'->>'sessionId', sources, results, act->'body',
      decode(act->>'digest', 'hex'), act->'salts', decode(act->>'fingerprint', 'hex'),
      octet_length(p_item::text), at);
    insert into provenance.action_input (project_id, cid, action_id)
    select p_project, cid, (act->>'id')::uuid from unnest(sources) as cid;
    insert into provenance.action_output (project_id, cid, action_id)
    select p_project, cid, (act->>'id')::uuid from unnest(results) as cid;

    perform provenance.write_resources(p_project, act, results, at);
    if upload is not null then
      -- A type that somebody stated stays, unless this uploader states another.
      update provenance.resource r set content_digest = decode(upload->>'contentDigest', 'hex'),
        size_bytes = (upload->>'sizeBytes')::bigint, mime_type = upload->>'mimeType',
        type = case when (upload->>'typeIsStated')::boolean or r.type = 'other' then upload->>'type' else r.type end
      where r.project_id = p_project and r.cid = upload->>'cid';
    end if;
  end if;

  insert into provenance.attribution (project_id, id, entity_id, action_id, cid, role, body, digest, salts,
    created_at)
  select p_project, (t->>'id')::uuid, t->'body'->>'entityId', (t->'body'->>'actionId')::uuid,
    provenance.resolve(p_project, t->'body'->>'resourceCid'), t->'body'->>'role', t->'body',
    decode(t->>'digest', 'hex'), t->'salts', at
  from jsonb_array_elements(coalesce(p_item->'attributions', '[]')) t
  on conflict do nothing;

  insert into provenance.outbox (project_id, id, kind, payload)
  select p_project, (j->>'id')::uuid, j->>'kind', j->'payload'
  from jsonb_array_elements(coalesce(p_item->'jobs', '[]')) j;

  outcome := provenance.written(p_project, p_item, made, results);
  if p_item ? 'idempotency' then
    perform provenance.keep_outcome(p_project, p_item->'idempotency', outcome);
  end if;
  return outcome;
end
$$;
