-- Deletes the stored outcomes that contain records of an entity. The Idempotency-Keys of the requests stay, so that no
-- request is executed again.
create or replace function provenance.erase_answers(p_project uuid, p_entity text) returns void
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(p_project::text, 1));
  update provenance.idempotency i set fingerprint = '', outcome = provenance.erased_outcome(p_project, p_entity)
  where i.project_id = p_project and (
    i.outcome @> jsonb_build_object('action', jsonb_build_object('performedBy', p_entity))
    or i.outcome @> jsonb_build_object('entities', jsonb_build_array(jsonb_build_object('id', p_entity)))
    or i.outcome @> jsonb_build_object('attributions', jsonb_build_array(
      jsonb_build_object('attribution', jsonb_build_object('entityId', p_entity))))
    -- The stored outcome of a batch has only the ids of the entities that it concerns.
    or i.outcome->'concerns' ? p_entity);
end
$$;
