-- Writes an item that decide() accepted. The caller holds the project's lock.
create or replace function provenance.write_item(p_project uuid, p_item jsonb, p_at timestamptz) returns jsonb
language plpgsql as $$
declare
  draft   jsonb;
  leaf    bigint;
  written jsonb := jsonb_build_object('outcome', 'recorded', 'entities', '[]'::jsonb, 'attributions', '[]'::jsonb,
    'action', null, 'resources', '[]'::jsonb);
begin
  -- The update comes before write_entities(), so that the result shows the updated entity.
  if p_item ? 'entityUpdate' then
    leaf := provenance.log_size(p_project);
    update provenance.entity e set body = p_item->'entityUpdate'->'body', leaf_index = leaf,
      digest = decode(p_item->'entityUpdate'->>'digest', 'hex'), salts = p_item->'entityUpdate'->'salts'
    where e.project_id = p_project and e.id = p_item->'entityUpdate'->>'id';
    perform provenance.append_leaf(p_project, leaf, 'entity', p_item->'entityUpdate');
  end if;
  if p_item ? 'entities' then
    written := written || jsonb_build_object('entities',
      provenance.write_entities(p_project, p_item->'entities', p_at));
  end if;
  if p_item ? 'upload' then
    perform provenance.take_names(p_project, p_item->'upload'->>'cid', p_item->'upload'->'aliases');
  end if;
  if p_item ? 'action' then
    written := (provenance.write_actions(p_project, jsonb_build_array(p_item), p_at))[1]
      || jsonb_build_object('entities', written->'entities');
  end if;
  if p_item ? 'upload' then
    written := written || jsonb_build_object('resources', provenance.attach_bytes(p_project, p_item->'upload'));
    if p_item->'upload' ? 'title' then
      perform provenance.write_titles(p_project, jsonb_build_array(p_item));
    end if;
  end if;
  if p_item ? 'ownership' then
    perform provenance.write_ownership(p_project, p_item->'ownership', (p_item->'action'->>'id')::uuid);
  end if;
  if p_item ? 'attributions' and not p_item ? 'action' then
    leaf := provenance.log_size(p_project);
    for draft in select value from jsonb_array_elements(p_item->'attributions') loop
      insert into provenance.attribution (project_id, id, entity_id, action_id, cid, role, body, digest, salts,
        created_at, leaf_index)
      values (p_project, (draft->>'id')::uuid, draft->'body'->>'entityId', (draft->'body'->>'actionId')::uuid,
        provenance.resolve(p_project, draft->'body'->>'resourceCid'), draft->'body'->>'role', draft->'body',
        decode(draft->>'digest', 'hex'), draft->'salts', p_at, leaf)
      on conflict do nothing;
      if found then
        perform provenance.append_leaf(p_project, leaf, 'attribution', draft);
        leaf := leaf + 1;
      end if;
    end loop;
    written := written || jsonb_build_object('attributions',
      provenance.same_attributions(p_project, p_item->'attributions'));
    perform provenance.note_ai_credits(p_project, p_item->'attributions');
  end if;
  if p_item ? 'descriptor' then
    perform provenance.write_descriptor(p_project, p_item->'descriptor');
  end if;
  if p_item ? 'softBindings' then
    insert into provenance.soft_binding (project_id, digest, cid)
    select p_project, decode(digest, 'hex'), p_item->'upload'->>'cid'
    from jsonb_array_elements_text(p_item->'softBindings') as digest on conflict do nothing;
  end if;
  if p_item ? 'matches' then
    written := written || jsonb_strip_nulls(jsonb_build_object('matches', p_item->'matches',
      'matchesComplete', p_item->'matchesComplete'));
  end if;
  if p_item ? 'jobs' then
    insert into provenance.outbox (project_id, id, kind, payload)
    select p_project, (j->>'id')::uuid, j->>'kind', j->'payload' from jsonb_array_elements(p_item->'jobs') j;
    perform provenance.add_pins(p_project, p_item->'jobs');
  end if;
  if p_item ? 'idempotency' then
    perform provenance.keep_outcome(p_project, p_item->'idempotency', written);
  end if;
  return written;
end
$$;
