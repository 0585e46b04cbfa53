-- This function is stable: PostgreSQL does not inline an immutable function that calls a stable function, here
-- to_char().
create or replace function provenance.instant(p_at timestamptz) returns text
language sql stable parallel safe as $$
  select to_char(p_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
