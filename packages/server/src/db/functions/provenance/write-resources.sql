-- Makes the outputs of an action resources. A first `create` claims content, a first `reference` marks it as
-- being from elsewhere; a later `create` turns referenced into claimed, and nothing turns claimed back. What a file
-- says of itself (`statesNothing`) does neither, and names no creator.
create or replace function provenance.write_resources(p_project uuid, p_action jsonb, p_outputs text[],
  p_at timestamptz) returns void
language plpgsql as $$
declare
  states constant boolean := not coalesce((p_action->>'statesNothing')::boolean, false);
  kind constant text := case when states then p_action->'body'->>'type' end;
  performer constant text := case when states then p_action->'body'->>'performedBy' end;
begin
  insert into provenance.resource as r (project_id, cid, type, state, created_by, root_action, created_at)
  select p_project, cid, p_action->>'resourceType',
    case kind when 'create' then 'claimed' when 'reference' then 'referenced' end,
    case when kind is distinct from 'reference' then performer end,
    (p_action->>'id')::uuid, p_at
  from unnest(p_outputs) as cid
  order by cid
  on conflict (project_id, cid) do update set
    created_by = case when excluded.state = 'claimed' and r.state is distinct from 'claimed'
      then coalesce(r.created_by, excluded.created_by) else r.created_by end,
    state = case when excluded.state = 'claimed' then 'claimed' else coalesce(r.state, excluded.state) end
  where excluded.state = 'claimed' and r.state is distinct from 'claimed'
    -- Content whose maker is known is not from elsewhere.
    or excluded.state = 'referenced' and r.state is null and r.created_by is null;
end
$$;
