-- Each action has one attribution and at most one upload of new content, which is an output of no other action. Action
-- n gets the time p_at + (n - 1) µs. The caller holds the project's lock.
create or replace function provenance.write_fresh(p_project uuid, p_items jsonb, p_at timestamptz, p_has_uploads boolean)
returns void language plpgsql as $$
declare
  size  constant bigint := provenance.log_size(p_project);
  later jsonb;
  -- Whether an output existed before this call, or is an output of several of these actions.
  has_further boolean;
begin
  -- With `offset 0`, PostgreSQL reads each part of the JSON once, and not again for each column.
  with item as materialized (
    select p_at + (place - 1) * interval '1 microsecond' as at, size + 2 * (place - 1) as leaf_index,
      act, body, (act->>'id')::uuid as id, body->>'type' as type, performer,
      array(select jsonb_array_elements_text(body->'inputCids')) as inputs,
      array(select jsonb_array_elements_text(body->'outputCids')) as outputs,
      decode(act->>'digest', 'hex') as digest,
      attribution, said, decode(attribution->>'digest', 'hex') as said_digest,
      upload, coalesce((act->>'statesNothing')::boolean, false) as states_nothing,
      greatest(provenance.ai_of_action(body, by_ai), case when credits_ai then 2 else 0 end,
        provenance.ai_of_disclosure(upload->'extensions'->'ext:c2pa@1.0.0')) as ai
    from (
      select performed.*, case when said->>'entityId' = performer then by_ai
        else (select e.role = 'ai' from provenance.entity e
          where e.project_id = p_project and e.id = performed.said->>'entityId') end as credits_ai
      from (
        select bodies.*, coalesce((select e.role = 'ai' from provenance.entity e
          where e.project_id = p_project and e.id = bodies.performer), false) as by_ai
        from (
          select parts.*, act->'body' as body, act->'body'->>'performedBy' as performer, attribution->'body' as said
          from (
            select i.place, i.value->'action' as act, i.value->'attributions'->0 as attribution,
              i.value->'upload' as upload
            from jsonb_array_elements(p_items) with ordinality as i(value, place) offset 0
          ) parts offset 0
        ) bodies offset 0
      ) performed
    ) credited
  ),
  leaves as (
    insert into provenance.log_leaf (project_id, leaf_index, kind, record_id, digest)
    select p_project, leaf_index, 'action', act->>'id', digest from item
    union all
    select p_project, leaf_index + 1, 'attribution', attribution->>'id', said_digest from item
    -- Neighbouring leaves are in one page of the table, because a proof reads up to 256 of them.
    order by leaf_index
  ),
  actions as (
    insert into provenance.action (project_id, id, type, performed_by, session_id, inputs, outputs, body,
      digest, salts, fingerprint, recorded_at, leaf_index)
    select p_project, id, type, performer, body->>'sessionId', inputs, outputs, body, digest, act->'salts',
      decode(act->>'fingerprint', 'hex'), at, leaf_index
    from item
  ),
  edges_in as (
    insert into provenance.action_input (project_id, cid, action_id)
    select p_project, cid, id from item, unnest(inputs) as cid
  ),
  edges_out as (
    insert into provenance.action_output (project_id, cid, action_id)
    select p_project, cid, id from item, unnest(outputs) as cid
  ),
  attributions as (
    insert into provenance.attribution (project_id, id, entity_id, action_id, cid, role, body, digest, salts,
      created_at, leaf_index)
    select p_project, (attribution->>'id')::uuid, said->>'entityId', id, said->>'resourceCid', said->>'role', said,
      said_digest, attribution->'salts', at, leaf_index + 1
    from item
  ),
  uses as (
    insert into provenance.proof_use (project_id, signature, action_id)
    select p_project, decode(body->'proof'->>'signature', 'hex'), id from item
    where body->'proof'->>'algorithm' = 'Ed25519'
    order by leaf_index
    -- With a policy other than `enforce`, a signature can repeat. Only its first use is stored.
    on conflict do nothing
  ),
  -- A further action changes a content only if it states more: the state `claimed` is more than `referenced`.
  made as (
    select stated.*, row_number() over earlier as nth,
      ai > max(ai) over earlier or rank > max(rank) over earlier as states_more
    from (
      select cid, leaf_index, id, at, upload, coalesce(upload->>'type', act->>'resourceType') as type,
        case rank when 2 then 'claimed' when 1 then 'referenced' end as state, rank,
        case when not states_nothing and type <> 'reference' then performer end as creator,
        ai, case when ai > 1 then provenance.tool_of_action(body) end as tool
      from item, unnest(outputs) as cid,
        lateral (select case when states_nothing then 0 when type = 'create' then 2 when type = 'reference' then 1
          else 0 end as rank) ranked
      offset 0
    ) stated
    window earlier as (partition by cid order by leaf_index rows between unbounded preceding and 1 preceding)
  ),
  -- A statement changes a row only once, so this statement uses only the first action of each content.
  resources as (
    insert into provenance.resource as r (project_id, cid, type, state, created_by, root_action, created_at,
      content_digest, size_bytes, mime_type, extensions, ai, tool)
    select p_project, cid, type, state, creator, id, at, decode(upload->>'contentDigest', 'hex'),
      (upload->>'sizeBytes')::bigint, upload->>'mimeType', upload->'extensions', ai, tool
    from made where nth = 1
    -- With this order, new rows go to the end of each index on the time.
    order by leaf_index
    on conflict (project_id, cid) do update set
      created_by = case when excluded.state = 'claimed' and r.state is distinct from 'claimed'
        then coalesce(r.created_by, excluded.created_by) else r.created_by end,
      state = case when excluded.state = 'claimed' then 'claimed'
        when excluded.state = 'referenced' and r.created_by is not null then r.state
        else coalesce(r.state, excluded.state) end,
      ai = greatest(r.ai, excluded.ai), tool = coalesce(r.tool, excluded.tool)
    where excluded.state = 'claimed' and r.state is distinct from 'claimed'
      or excluded.state = 'referenced' and r.state is null and r.created_by is null
      or excluded.ai > r.ai
    returning created_at
  )
  select jsonb_agg(jsonb_build_object('cid', cid, 'state', state, 'creator', creator, 'ai', ai, 'tool', tool)
      order by leaf_index) filter (where nth > 1 and states_more),
    count(*) > (select count(*) from resources where created_at >= p_at and created_at < p_at + interval '1 second')
  into later, has_further
  from made;
  if later is not null then perform provenance.merge_outputs(p_project, later); end if;
  -- An action with `statesNothing` sets no creator. So note_makers() stores its performer as a possible maker.
  if has_further or p_items @? '$[*].action.statesNothing'
    or p_items @? '$[*].action.body.extensions."ext:mark@1.0.0".markedCid' then
    perform provenance.note_makers(p_project, p_items);
  end if;

  if p_has_uploads then perform provenance.write_fresh_uploads(p_project, p_items); end if;
end
$$;
