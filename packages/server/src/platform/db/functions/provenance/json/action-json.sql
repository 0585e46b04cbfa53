create or replace function provenance.action_json(p_action provenance.action) returns jsonb
language sql stable as $$
  select case when p_action.erasure is null then p_action.body
    else provenance.without_erased(p_action.body, p_action.erasure) end
  || jsonb_build_object(
    'recordedAt', provenance.instant(p_action.recorded_at),
    'digest', 'sha256:' || encode(p_action.digest, 'hex'))
    || provenance.onchain_json(p_action.project_id, p_action.leaf_index)
$$;
