-- The function is stable, because it calls the stable function to_char(). PostgreSQL would not inline an immutable
-- function with such a call.
create or replace function provenance.instant(p_at timestamptz) returns text
language sql stable parallel safe as $$
  select to_char(p_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
