-- Deletes outcomes that are older than a day, at most twice as many as it stores.
create or replace function provenance.keep_fresh(p_project uuid, p_items jsonb, p_at timestamptz) returns void
language plpgsql as $$
declare
  kept bigint;
begin
  insert into provenance.idempotency (project_id, scope, fingerprint, outcome, outcome_bytes)
  select p_project, made.scope, made.fingerprint, made.outcome, octet_length(made.outcome::text)
  from (select decode(i.value->'idempotency'->>'scope', 'hex') as scope,
    decode(i.value->'idempotency'->>'fingerprint', 'hex') as fingerprint,
    jsonb_build_object('outcome', 'recorded', 'entities', '[]'::jsonb, 'attributions', '[]'::jsonb,
      'action', i.value->'action'->'body' || jsonb_build_object(
        'recordedAt', provenance.instant(p_at + (i.place - 1) * interval '1 microsecond'),
        'digest', 'sha256:' || (i.value->'action'->>'digest')),
      'resources', coalesce((
        select jsonb_build_array(provenance.resource_json(r)) from provenance.resource r
        where r.project_id = p_project and r.cid = i.value->'upload'->>'cid'), '[]'))
    || jsonb_strip_nulls(jsonb_build_object('matches', i.value->'matches', 'matchesComplete',
      i.value->'matchesComplete')) as outcome
  from jsonb_array_elements(p_items) with ordinality as i(value, place)
  where i.value ? 'idempotency' offset 0) made;
  get diagnostics kept = row_count;
  delete from provenance.idempotency i where i.project_id = p_project and i.scope in (
    select old.scope from provenance.idempotency old
    where old.project_id = p_project and old.created_at < now() - interval '24 hours'
    order by old.created_at limit 2 * kept);
end
$$;
