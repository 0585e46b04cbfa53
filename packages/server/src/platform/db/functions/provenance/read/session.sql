-- Returns the actions with the session id p_session and the records that belong to them, oldest first. The limits are
-- p_limit actions and about p_max_bytes of JSON.
create or replace function provenance.session(p_project uuid, p_session text, p_limit int, p_max_bytes bigint)
returns text
language plpgsql stable as $$
declare
  ids constant uuid[] := array(
    select a.id from provenance.action a where a.project_id = p_project and a.session_id = p_session
    order by a.recorded_at, a.id limit p_limit + 1);
  doc constant jsonb := provenance.document(p_project, ids[1:p_limit], '{}', p_max_bytes, cardinality(ids) > p_limit);
begin
  return (doc || jsonb_build_object(
    'sessionId', p_session,
    'summary', (select jsonb_object_agg(key, jsonb_array_length(doc->key))
                from unnest(array['actions', 'resources', 'entities', 'attributions']) as key)))::text;
end
$$;
