-- No two items have the same output. Item n gets the time p_at + (n - 1) µs. The caller holds the project's lock.
create or replace function provenance.write_actions(p_project uuid, p_items jsonb, p_at timestamptz) returns jsonb[]
language plpgsql as $$
declare
  size    constant bigint := provenance.log_size(p_project);
  written jsonb[];
  -- Whether an output of one of these actions existed before this call.
  has_further boolean;
begin
  with item as materialized (
    select i.place, i.value->'action' as act, i.value->'attributions' as attributions,
      coalesce(i.value->'ownership' ? 'signature', false) as is_signed_transfer,
      p_at + (i.place - 1) * interval '1 microsecond' as at
    from jsonb_array_elements(p_items) with ordinality as i(value, place)
  ),
  -- If an item has several attributions with the same target, entity and role, only the first of them is written.
  attribution as (
    select distinct on (t.place, t.body->>'entityId', t.body->>'role', t.cid) t.*
    from (
      select item.place, given.nth, given.draft, given.draft->'body' as body,
        provenance.resolve(p_project, given.draft->'body'->>'resourceCid') as cid
      from item, jsonb_array_elements(item.attributions) with ordinality as given(draft, nth)
    ) t
    order by t.place, t.body->>'entityId', t.body->>'role', t.cid, t.nth
  ),
  draft as materialized (
    select d.*, size - 1 + row_number() over (order by d.place, d.nth) as leaf_index
    from (
      select place, 0 as nth, act as draft, null as cid from item
      union all
      select place, nth, draft, cid from attribution
    ) d
  ),
  leaves as (
    insert into provenance.log_leaf (project_id, leaf_index, kind, record_id, digest)
    select p_project, leaf_index, case nth when 0 then 'action' else 'attribution' end, draft->>'id',
      decode(draft->>'digest', 'hex')
    from draft
  ),
  acts as (
    insert into provenance.action (project_id, id, type, performed_by, session_id, inputs, outputs, body,
      digest, salts, fingerprint, recorded_at, leaf_index)
    select p_project, (act->>'id')::uuid, body->>'type', body->>'performedBy', body->>'sessionId',
      provenance.resolve_all(p_project, body->'inputCids'), provenance.resolve_all(p_project, body->'outputCids'),
      body, decode(act->>'digest', 'hex'), act->'salts', decode(act->>'fingerprint', 'hex'), at, leaf_index
    from item join draft using (place), lateral (select item.act->'body' as body) b
    where nth = 0
    returning id, inputs, outputs
  ),
  edges_in as (
    insert into provenance.action_input (project_id, cid, action_id)
    select p_project, cid, id from acts, unnest(inputs) as cid
  ),
  edges_out as (
    insert into provenance.action_output (project_id, cid, action_id)
    select p_project, cid, id from acts, unnest(outputs) as cid
  ),
  -- write_ownership() stores the signature of a transfer.
  uses as (
    insert into provenance.proof_use (project_id, signature, action_id)
    select p_project, decode(act->'body'->'proof'->>'signature', 'hex'), (act->>'id')::uuid
    from item where act->'body'->'proof'->>'algorithm' = 'Ed25519' and not is_signed_transfer
    order by place
    -- With a policy other than `enforce`, a signature can repeat. Only its first use is stored.
    on conflict do nothing
  ),
  -- The first `create` sets the state `claimed`, also when the state was `referenced`. A first `reference` sets
  -- `referenced`. No action changes `claimed`. An action with `statesNothing` sets no state and no creator.
  said as (
    select (act->>'id')::uuid as id, at, act->>'resourceType' as resource_type,
      body->>'performedBy' as performer, body->>'type' as kind, body,
      not coalesce((act->>'statesNothing')::boolean, false) as states,
      greatest(provenance.ai_of_action(body, by_ai), case when credits_ai then 2 else 0 end) as ai
    from item,
      lateral (select act->'body' as body) acted,
      lateral (select coalesce((select e.role = 'ai' from provenance.entity e
        where e.project_id = p_project and e.id = acted.body->>'performedBy'), false) as by_ai offset 0) performed,
      lateral (select exists (
        select from jsonb_array_elements(attributions) t
        join provenance.entity e on e.project_id = p_project and e.id = t->'body'->>'entityId' and e.role = 'ai'
      ) as credits_ai offset 0) credited
  ),
  resources as (
    insert into provenance.resource as r (project_id, cid, type, state, created_by, root_action, created_at, ai,
      tool)
    select p_project, cid, resource_type,
      case when states then case kind when 'create' then 'claimed' when 'reference' then 'referenced' end end,
      case when states and kind <> 'reference' then performer end, id, at, ai,
      case when ai > 1 then provenance.tool_of_action(body) end
    from said join acts using (id), unnest(outputs) as cid
    -- With this order, new rows go to the end of each index on the time.
    order by at
    on conflict (project_id, cid) do update set
      created_by = case when excluded.state = 'claimed' and r.state is distinct from 'claimed'
        then coalesce(r.created_by, excluded.created_by) else r.created_by end,
      -- Content with a known creator never becomes `referenced`.
      state = case when excluded.state = 'claimed' then 'claimed'
        when excluded.state = 'referenced' and r.created_by is not null then r.state
        else coalesce(r.state, excluded.state) end,
      ai = greatest(r.ai, excluded.ai), tool = coalesce(r.tool, excluded.tool)
    where excluded.state = 'claimed' and r.state is distinct from 'claimed'
      or excluded.state = 'referenced' and r.state is null and r.created_by is null
      or excluded.ai > r.ai
    returning created_at
  ),
  attributions as (
    insert into provenance.attribution (project_id, id, entity_id, action_id, cid, role, body, digest, salts,
      created_at, leaf_index)
    select p_project, (draft->>'id')::uuid, body->>'entityId', (body->>'actionId')::uuid, cid, body->>'role', body,
      decode(draft->>'digest', 'hex'), draft->'salts', at, leaf_index
    from item join draft using (place), lateral (select draft.draft->'body' as body) b
    where nth > 0
  )
  select array_agg(jsonb_build_object('outcome', 'recorded', 'entities', '[]'::jsonb, 'attributions', '[]'::jsonb,
    'resources', '[]'::jsonb, 'action', act->'body' || jsonb_build_object('recordedAt', provenance.instant(at),
      'digest', 'sha256:' || (act->>'digest'))) order by place),
    (select count(*) from acts, unnest(outputs))
      > (select count(*) from resources where created_at >= p_at and created_at < p_at + interval '1 second')
  into written, has_further
  from item;
  -- An action with `statesNothing` sets no creator. So note_makers() stores its performer as a possible maker.
  if has_further or p_items @? '$[*].action.statesNothing'
    or p_items @? '$[*].action.body.extensions."ext:mark@1.0.0".markedCid' then
    perform provenance.note_makers(p_project, p_items);
  end if;
  return written;
end
$$;
