-- Does the same as find_key_holder(), for nodes of the version before it.
create or replace function control.find_api_key(p_digest bytea)
returns table (key_id uuid, project_id uuid, permission text)
language sql stable as $$
  select h.key_id, h.project_id, h.permission from control.find_key_holder(p_digest) h
$$;
