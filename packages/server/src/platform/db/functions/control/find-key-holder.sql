-- Does the same as find_live_key(), for nodes of the version before it. They do not find bound keys.
create or replace function control.find_key_holder(p_digest bytea)
returns table (key_id uuid, project_id uuid, permission text, ai_training_opt_out boolean, expires_at timestamptz)
language sql stable as $$
  select k.key_id, k.project_id, k.permission, k.ai_training_opt_out, k.expires_at
  from control.find_live_key(p_digest) k where k.entity_id is null
$$;
