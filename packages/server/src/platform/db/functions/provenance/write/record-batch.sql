-- Records all items of one request, or none when one is refused. Each item is an entity, an action or an attribution.
-- Returns a short result per item, or the refusals with positions from 0, or the outcome `serial` of record_runs().
-- With p_key {scope, fingerprint}, stores the response for repetitions of the request.
create or replace function provenance.record_batch(p_project uuid, p_items jsonb, p_expected jsonb, p_key jsonb)
returns jsonb language plpgsql as $$
declare
  outcomes jsonb;
  refused  jsonb;
  answer   jsonb;
begin
  perform pg_advisory_xact_lock(hashtextextended(p_project::text, 1));
  if p_key is not null then
    answer := provenance.idempotent_outcome(p_project, p_key);
    if answer is not null then return answer; end if;
  end if;
  -- The outcomes then have no stored JSON. Otherwise a batch of short items could return a thousand large records.
  perform set_config('provenance.in_brief', 'on', true);
  outcomes := provenance.record_all_or_none(p_project, p_items, p_expected, false);
  perform set_config('provenance.in_brief', '', true);

  if outcomes->0->>'outcome' = 'serial' then return outcomes->0; end if;
  select jsonb_agg(jsonb_build_object('place', o.place - 1, 'refusal', o.outcome) order by o.place) into refused
  from jsonb_array_elements(outcomes) with ordinality o(outcome, place)
  where o.outcome->>'outcome' not in ('recorded', 'replayed');
  if refused is not null then return jsonb_build_object('outcome', 'refused', 'refused', refused); end if;

  select jsonb_build_object('outcome', 'recorded', 'records', jsonb_agg(found.record order by found.place))
  into answer
  from (
    select o.place, case
      when jsonb_typeof(o.outcome->'action') = 'object' then jsonb_build_object(
        'id', o.outcome->'action'->'id', 'digest', o.outcome->'action'->'digest',
        'created', o.outcome->>'outcome' = 'recorded')
      when o.outcome->'entities' <> '[]' then (o.outcome->'entities'->0) - 'entity'
      else jsonb_build_object('id', o.outcome->'attributions'->0->'attribution'->'id',
        'created', o.outcome->'attributions'->0->'created')
      end as record
    from jsonb_array_elements(outcomes) with ordinality o(outcome, place)
  ) found;
  if p_key is not null then
    perform provenance.keep_outcome(p_project, p_key, answer || jsonb_build_object('concerns', (
      select jsonb_agg(distinct coalesce(o->'action'->'performedBy', o->'entities'->0->'id',
        o->'attributions'->0->'attribution'->'entityId'))
      from jsonb_array_elements(outcomes) o)));
  end if;
  return answer;
end
$$;
