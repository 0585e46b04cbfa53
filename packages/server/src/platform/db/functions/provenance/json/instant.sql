-- Returns a time as the API shows it: RFC 3339, UTC, milliseconds. The function is stable, as to_char() is;
-- PostgreSQL would not inline an immutable one into the statements that use it.
create or replace function provenance.instant(p_at timestamptz) returns text
language sql stable parallel safe as $$
  select to_char(p_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
