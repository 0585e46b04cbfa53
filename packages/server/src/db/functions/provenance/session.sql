-- Everything that was recorded in one session, oldest first, up to p_limit actions.
create or replace function provenance.session(p_project uuid, p_session text, p_limit int) returns text
language plpgsql stable as $$
declare
  ids uuid[];
  doc jsonb;
begin
  ids := array(
    select a.id from provenance.action a where a.project_id = p_project and a.session_id = p_session
    order by a.recorded_at, a.id limit p_limit + 1);
  doc := provenance.document(p_project, ids[1:p_limit], '{}');
  return (doc || jsonb_build_object(
    'sessionId', p_session,
    'complete', cardinality(ids) <= p_limit,
    'summary', (select jsonb_object_agg(key, jsonb_array_length(value)) from jsonb_each(doc - 'aliases'))))::text;
end
$$;
