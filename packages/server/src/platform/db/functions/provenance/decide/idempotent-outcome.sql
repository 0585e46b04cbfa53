-- Returns null when no request of the last 24 hours had this key, and `erased` when an erasure deleted the outcome.
create or replace function provenance.idempotent_outcome(p_project uuid, p_key jsonb) returns jsonb
language plpgsql stable as $$
begin
  return (
    select case
      when i.fingerprint = '' then i.outcome
      when encode(i.fingerprint, 'hex') = p_key->>'fingerprint' then i.outcome || '{"repeated": true}'
      else jsonb_build_object('outcome', 'idempotencyMismatch') end
    from provenance.idempotency i
    where i.project_id = p_project and i.scope = decode(p_key->>'scope', 'hex')
      and i.created_at > now() - interval '24 hours');
end
$$;
