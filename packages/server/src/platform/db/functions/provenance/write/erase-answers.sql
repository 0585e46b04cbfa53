-- Examines the next stored outcomes after the scope p_after. Replaces each of them that has records of p_entity by the
-- outcome `erased`. The Idempotency-Keys stay, so that no request is executed again. Examines at most 200 outcomes, and
-- about 512 KiB. Returns the last examined scope, or null. No request stores erased data in an examined scope later,
-- because the caller erases the records first, under the same lock.
create or replace function provenance.erase_answers(p_project uuid, p_entity text, p_after bytea) returns bytea
language plpgsql as $$
declare
  most_bytes constant int := 524288;
  scopes bytea[];
begin
  perform pg_advisory_xact_lock(hashtextextended(p_project::text, 1));
  scopes := array(
    select weighed.scope
    from (
      select next.scope, sum(next.bytes) over (order by next.scope) - next.bytes as bytes_before
      from (
        select i.scope, coalesce(i.outcome_bytes, 64 * pg_column_size(i.outcome)) as bytes
        from provenance.idempotency i
        where i.project_id = p_project and i.scope > p_after order by i.scope limit 200
      ) next
    ) weighed
    where weighed.bytes_before < most_bytes order by weighed.scope);
  update provenance.idempotency i set fingerprint = '', outcome = provenance.erased_outcome(p_project, p_entity),
    outcome_bytes = 0
  from (
    -- `|| '{}'` reads each outcome once. Without it, each condition would read the outcome again.
    select k.scope, k.outcome || '{}' as outcome from provenance.idempotency k
    where k.project_id = p_project and k.scope = any(scopes) and k.fingerprint <> '' offset 0
  ) o
  where i.project_id = p_project and i.scope = o.scope and (
    o.outcome @> jsonb_build_object('action', jsonb_build_object('performedBy', p_entity))
    or o.outcome @> jsonb_build_object('entities', jsonb_build_array(jsonb_build_object('id', p_entity)))
    or o.outcome @> jsonb_build_object('attributions', jsonb_build_array(
      jsonb_build_object('attribution', jsonb_build_object('entityId', p_entity))))
    -- The stored outcome of a batch has only the ids of the entities that it concerns.
    or o.outcome->'concerns' ? p_entity);
  return scopes[cardinality(scopes)];
end
$$;
