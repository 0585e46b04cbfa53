-- Whether an item is an action with its attributions, and brings nothing else along.
create or replace function provenance.is_plain(p_item jsonb) returns boolean
language sql immutable as $$
  select p_item ? 'action' and p_item - '{action,attributions,inputsMustBeKnown,idempotency}'::text[] = '{}'
$$;
