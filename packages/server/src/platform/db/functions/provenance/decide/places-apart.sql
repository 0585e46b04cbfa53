-- Which of some items have to be decided one after the other, as places from 1: those that may be refused or replayed,
-- and those that touch what an earlier one names. Each item is an action with its attributions and brings nothing
-- else along. The others are to be written, whatever becomes of these. Called under the project's lock.
-- Each look-up is fenced (`offset 0`): one by index for each item, whatever the planner thinks of their number.
create or replace function provenance.places_apart(p_project uuid, p_items jsonb) returns bigint[]
language plpgsql stable as $$
begin
  return array(
    with item as materialized (
      select i.place, body, i.value->'attributions' as attributions, i.value->'action'->>'id' as id,
        (i.value->'action'->>'idIsGiven')::boolean as id_is_given, i.value->'idempotency'->>'scope' as scope,
        case when not coalesce((i.value->'action'->>'proofMayRepeat')::boolean, false)
          then body->'proof'->>'signature' end as signature, body->'inputCids' <> '[]' as has_inputs,
        coalesce((i.value->>'inputsMustBeKnown')::boolean, false) as inputs_must_be_known
      from jsonb_array_elements(p_items) with ordinality as i(value, place),
        lateral (select i.value->'action'->'body' as body) b
    ),
    -- What is good once. An id that the service has just made cannot have been used.
    claim as (
      select place, 'id' as kind, id as value from item where id_is_given
      union all select place, 'scope', scope from item where scope is not null
      union all select place, 'signature', signature from item where signature is not null
    ),
    named as materialized (
      select n.*, min(n.place) filter (where is_output) over same as first_made,
        min(n.place) filter (where not is_output) over same as first_used
      from (
        select item.place, has_inputs, inputs_must_be_known, is_output, coalesce(a.cid, given.cid) as cid
        from item,
          lateral (
            select cid, false as is_output from jsonb_array_elements_text(body->'inputCids') as cid
            union all
            select cid, true from jsonb_array_elements_text(body->'outputCids') as cid) given
          left join lateral (
            select cid from provenance.content_alias a
            where a.project_id = p_project and a.alias = given.cid offset 0) a on true
      ) n
      window same as (partition by n.cid)
    ),
    apart as materialized (
      select place from (select place, lag(place) over (partition by kind, value order by place) as earlier from claim) c
      where earlier is not null
      union
      select place from claim
      where kind = 'id' and exists (
          select from provenance.action a where a.project_id = p_project and a.id = value::uuid offset 0)
        or kind = 'scope' and exists (
          select from provenance.idempotency i where i.project_id = p_project and i.scope = decode(value, 'hex') offset 0)
        or kind = 'signature' and (
          exists (select from provenance.proof_use u
            where u.project_id = p_project and u.signature = decode(value, 'hex') offset 0)
          or exists (select from provenance.ownership_event e
            where e.project_id = p_project and e.signature = decode(value, 'hex') offset 0))
      union
      select place from (
        select place, body->>'performedBy' as entity_id from item
        union
        select place, t->'body'->>'entityId' from item, jsonb_array_elements(attributions) t
      ) e
      where not exists (
        select from provenance.entity e2 where e2.project_id = p_project and e2.id = entity_id offset 0)
      union
      -- Only content that was used before can become its own ancestor.
      select place from named
      where is_output and (first_made < place or has_inputs and (first_used <= place or (
        select i.action_id from provenance.action_input i
        where i.project_id = p_project and i.cid = named.cid order by i.action_id limit 1) is not null))
    ),
    unknown as (
      select min(place) as place from named
      where inputs_must_be_known and not is_output and not provenance.knows(p_project, cid)
        and (first_made is null or first_made >= place or first_made in (select place from apart))
    )
    select place from apart
    union
    -- What comes after it may use what it makes.
    select item.place from item, unknown where item.inputs_must_be_known and item.place >= unknown.place
  );
end
$$;
