-- Returns the stored answer of a request with this Idempotency-Key of the last 24 hours; null when there is none. The
-- outcome is `idempotencyMismatch` when that was a different request, and `erased` when an erasure removed the
-- answer.
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
