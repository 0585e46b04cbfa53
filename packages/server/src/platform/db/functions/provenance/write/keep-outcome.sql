-- Stores the outcome for repetitions of the request. Then deletes at most two outcomes that are older than a day.
create or replace function provenance.keep_outcome(p_project uuid, p_key jsonb, p_outcome jsonb) returns void
language plpgsql as $$
begin
  insert into provenance.idempotency (project_id, scope, fingerprint, outcome, outcome_bytes)
  values (p_project, decode(p_key->>'scope', 'hex'), decode(p_key->>'fingerprint', 'hex'), p_outcome,
    octet_length(p_outcome::text))
  on conflict (project_id, scope) do update
  set fingerprint = excluded.fingerprint, outcome = excluded.outcome,
    outcome_bytes = excluded.outcome_bytes, created_at = excluded.created_at;
  delete from provenance.idempotency i where i.project_id = p_project and i.scope in (
    select old.scope from provenance.idempotency old
    where old.project_id = p_project and old.created_at < now() - interval '24 hours'
    order by old.created_at limit 2);
end
$$;
