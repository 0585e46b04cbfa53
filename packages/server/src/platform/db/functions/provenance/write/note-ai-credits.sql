-- Raises the AI level of contents when an attribution of an AI entity names the content, or the action that made it. Of
-- an action, only the first 20 outputs change. The caller holds the project's lock.
create or replace function provenance.note_ai_credits(p_project uuid, p_attributions jsonb) returns void
language plpgsql as $$
begin
  update provenance.resource r set ai = 2
  where r.project_id = p_project and r.ai < 2 and r.cid = any(array(
    select named.cid
    from jsonb_array_elements(p_attributions) as d(draft)
    join provenance.entity e
      on e.project_id = p_project and e.id = d.draft->'body'->>'entityId' and e.role = 'ai',
    lateral (
      select provenance.resolve(p_project, d.draft->'body'->>'resourceCid') as cid
      where d.draft->'body' ? 'resourceCid'
      union all
      select unnest(a.outputs[1:20]) from provenance.action a
      where a.project_id = p_project and a.id = (d.draft->'body'->>'actionId')::uuid
    ) named));
end
$$;
