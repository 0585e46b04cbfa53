-- The live key with this SHA-256; no row when it is unknown, expired or revoked.
create or replace function control.find_api_key(p_digest bytea)
returns table (key_id uuid, project_id uuid, permission text)
language sql stable as $$
  select k.id, k.project_id, k.permission
  from control.api_key k
  where k.key_digest = p_digest
    and k.revoked_at is null
    and (k.expires_at is null or k.expires_at > now())
$$;
