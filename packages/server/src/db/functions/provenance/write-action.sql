-- Writes the action of an item with its edges and what it says of content; gives it as the API shows it, and the
-- resource when bytes came with it.
create or replace function provenance.write_action(p_project uuid, p_item jsonb, p_at timestamptz) returns jsonb
language plpgsql as $$
declare
  act     constant jsonb := p_item->'action';
  body    constant jsonb := act->'body';
  upload  constant jsonb := p_item->'upload';
  act_id  constant uuid := (act->>'id')::uuid;
  leaf    constant bigint := provenance.log_size(p_project);
  sources text[] := '{}';
  results text[] := '{}';
  alias   text;
begin
  if upload is not null then
    -- The bytes decide these names: who gave them to other content was wrong.
    delete from provenance.content_alias a
    where a.project_id = p_project and a.cid <> upload->>'cid'
      and a.alias in (select upload->>'cid' union all select jsonb_array_elements_text(upload->'aliases'));
    for alias in select jsonb_array_elements_text(upload->'aliases') loop
      perform provenance.link_alias(p_project, alias, upload->>'cid');
    end loop;
  end if;
  if body->'inputCids' <> '[]' then
    sources := provenance.resolve_all(p_project, body->'inputCids');
  end if;
  if body->'outputCids' <> '[]' then
    results := provenance.resolve_all(p_project, body->'outputCids');
  end if;

  insert into provenance.action (project_id, id, type, performed_by, session_id, inputs, outputs, body,
    digest, salts, fingerprint, recorded_at, leaf_index)
  values (p_project, act_id, body->>'type', body->>'performedBy', body->>'sessionId', sources, results, body,
    decode(act->>'digest', 'hex'), act->'salts', decode(act->>'fingerprint', 'hex'), p_at,
    leaf);
  perform provenance.append_leaf(p_project, leaf, 'action', act);
  -- That of a transfer stands with it.
  if body ? 'proof' and not coalesce(p_item->'ownership' ? 'signature', false) then
    insert into provenance.proof_use (project_id, signature, action_id)
    values (p_project, decode(body->'proof'->>'signature', 'hex'), act_id);
  end if;
  if cardinality(sources) > 0 then
    insert into provenance.action_input (project_id, cid, action_id)
    select p_project, cid, act_id from unnest(sources) as cid;
  end if;
  if cardinality(results) > 0 then
    insert into provenance.action_output (project_id, cid, action_id)
    select p_project, cid, act_id from unnest(results) as cid;
    perform provenance.write_resources(p_project, act, results, p_at);
  end if;
  return jsonb_build_object(
    'action', body || jsonb_build_object(
      'recordedAt', provenance.instant(p_at), 'digest', 'sha256:' || (act->>'digest')),
    'resources', case when upload is null then '[]'::jsonb else provenance.attach_bytes(p_project, upload) end);
end
$$;
