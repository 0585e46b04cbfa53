-- Returns the reason to refuse an item; null when the item can be written. Writes no rows, but counts its work in
-- settings of the transaction. Before the service stores the bytes of an upload, it also calls decide() without the
-- project's lock. With `provenance.in_brief`, the outcome of a stored action has only its id, performer and digest.
create or replace function provenance.decide(p_project uuid, p_item jsonb) returns jsonb
language plpgsql stable as $$
declare
  known    provenance.action;
  stored   provenance.resource;
  given    jsonb;
  entity   provenance.entity;
  refusal  jsonb;
  differs  text[];
  used_by  uuid;
  unknown  text;
begin
  if p_item ? 'idempotency' then
    refusal := provenance.idempotent_outcome(p_project, p_item->'idempotency');
    if refusal is not null then return refusal; end if;
  end if;

  -- An id that the service generated is new.
  if (p_item->'action'->>'idIsGiven')::boolean then
    select * into known from provenance.action a
    where a.project_id = p_project and a.id = (p_item->'action'->>'id')::uuid;
    if found then
      if known.fingerprint = '' then return provenance.erased_outcome(p_project, known.performed_by); end if;
      if encode(known.fingerprint, 'hex') <> p_item->'action'->>'fingerprint' then
        return jsonb_build_object('outcome', 'actionConflict', 'actionId', known.id);
      end if;
      if current_setting('provenance.in_brief', true) = 'on' then
        return jsonb_build_object('outcome', 'replayed', 'resources', '[]'::jsonb, 'action', jsonb_build_object(
          'id', known.id, 'performedBy', known.performed_by, 'digest', 'sha256:' || encode(known.digest, 'hex')));
      end if;
      return jsonb_build_object('outcome', 'replayed', 'action', provenance.action_json(known), 'resources', (
        select coalesce(jsonb_agg(provenance.resource_json(r)), '[]') from provenance.resource r
        where r.project_id = p_project and r.cid = any(known.outputs)));
    end if;
  end if;

  if p_item ? 'upload' and not coalesce((p_item->'upload'->>'mayExist')::boolean, false) then
    -- Aliases are not resolved: this CID may be an alias of other content, because a pinning service returned it.
    select * into stored from provenance.resource r
    where r.project_id = p_project and r.cid = p_item->'upload'->>'cid' and r.content_digest is not null;
    if found then
      return jsonb_build_object('outcome', 'duplicate', 'cid', stored.cid, 'actionId', stored.root_action,
        'state', stored.state);
    end if;
  end if;

  -- With the policy `enforce`, two actions cannot have the same signature.
  if p_item->'action'->'body' ? 'proof' and not coalesce((p_item->'action'->>'proofMayRepeat')::boolean, false) then
    select uses.action_id into used_by from (
      select u.action_id, u.project_id, u.signature from provenance.proof_use u union all
      select e.action_id, e.project_id, e.signature from provenance.ownership_event e
    ) uses
    where uses.project_id = p_project
      and uses.signature = decode(p_item->'action'->'body'->'proof'->>'signature', 'hex') limit 1;
    if found then return jsonb_build_object('outcome', 'actionProofUsed', 'actionId', used_by); end if;
  end if;

  if p_item ? 'entities' then
    for given in select value from jsonb_array_elements(p_item->'entities') loop
      -- Storing these fields would undo the erasure, and ignoring them would lose data without an error.
      if given->'body' ?| array['name', 'wallet', 'metadata'] and exists (
        select from provenance.entity e
        where e.project_id = p_project and e.id = given->>'id' and e.erasure is not null)
      then
        return provenance.erased_outcome(p_project, given->>'id');
      end if;
      select array_agg(field.key order by field.key) into differs
      from (
        -- Reads the body once, and only if a field other than `id` and `role` must be compared.
        select e.role, case when (given->'given') - array['id', 'role'] <> '{}' then e.body || '{}' end as body
        from provenance.entity e where e.project_id = p_project and e.id = given->>'id' offset 0) e,
        jsonb_each(given->'given') as field
      where field.key <> 'id' and case
        when field.key = 'role' then e.role is distinct from field.value#>>'{}'
        -- The stored entity also has extensions that the service asserts, so only the provided ones are compared.
        when field.key = 'extensions' then exists (
          select from jsonb_each(field.value) x where e.body->'extensions'->x.key is distinct from x.value)
        when field.key = 'wallet' then provenance.wallet_key(e.body->>'wallet')
          is distinct from provenance.wallet_key(field.value#>>'{}')
        else e.body->field.key is distinct from field.value end;
      if differs is not null then
        return jsonb_build_object('outcome', 'entityConflict', 'entityId', given->>'id', 'fields', differs);
      end if;
      if not given->'body' ? 'role' and not exists (
        select from provenance.entity e where e.project_id = p_project and e.id = given->>'id')
      then
        return jsonb_build_object('outcome', 'roleMissing', 'entityId', given->>'id');
      end if;
    end loop;
  end if;

  given := p_item->'entityUpdate';
  if given is not null then
    select * into entity from provenance.entity e where e.project_id = p_project and e.id = given->>'id';
    if not found then
      return jsonb_build_object('outcome', 'unknownEntity', 'entityId', given->>'id');
    end if;
    if entity.erasure is not null then return provenance.erased_outcome(p_project, entity.id); end if;
    if encode(entity.digest, 'hex') <> given->>'previousDigest' then
      return jsonb_build_object('outcome', 'stale');
    end if;
  end if;

  refusal := coalesce(provenance.refuse_ownership(p_project, p_item->'ownership'),
    provenance.refuse_references(p_project, p_item));
  if refusal is null and p_item->'upload'->'aliases' <> '[]' then
    refusal := provenance.refuse_aliases(p_project, p_item->'upload'->'aliases');
  end if;
  if refusal is null and p_item ? 'action' and (
    p_item->'action'->'body'->'inputCids' <> '[]' or p_item->'upload'->'aliases' <> '[]'
  ) then
    refusal := provenance.refuse_item_cycle(p_project, p_item);
  end if;
  -- This check must stay the last: with the policy `warn`, the caller only logs its refusal and records the item.
  if refusal is null and (p_item->>'inputsMustBeKnown')::boolean then
    unknown := provenance.unknown_input(p_project, p_item->'action'->'body'->'inputCids');
    if unknown is not null then
      return jsonb_build_object('outcome', 'unknownContent', 'cid', unknown);
    end if;
  end if;
  return refusal;
end
$$;
