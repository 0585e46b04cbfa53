-- Sets the time of last use in whole minutes. Skips keys that another process is updating.
create or replace function control.note_used_keys(p_counts jsonb) returns void
language sql as $$
  update control.api_key k set last_used_at = date_trunc('minute', now())
  where k.id in (
    select used.id from control.api_key used
    where used.id in (
        select (c->>'keyId')::uuid from jsonb_array_elements(p_counts) c
        where c->>'keyId' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')
      and used.last_used_at is distinct from date_trunc('minute', now())
    for update skip locked)
$$;
