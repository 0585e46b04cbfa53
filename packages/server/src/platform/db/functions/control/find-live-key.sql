-- No row when the key is unknown, expired or revoked, or its project is deleted. p_digest: SHA-256 of the key.
create or replace function control.find_live_key(p_digest bytea)
returns table (
  key_id uuid, project_id uuid, permission text, ai_training_opt_out boolean, expires_at timestamptz, entity_id text)
language sql stable as $$
  select k.id, k.project_id, k.permission, p.ai_training_opt_out, k.expires_at, k.entity_id
  from control.api_key k
  join control.project p on p.id = k.project_id
  where k.key_digest = p_digest
    and k.revoked_at is null
    and p.deleted_at is null
    and (k.expires_at is null or k.expires_at > now())
$$;
