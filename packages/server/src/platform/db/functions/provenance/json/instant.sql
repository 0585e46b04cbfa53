-- RFC 3339, UTC, milliseconds: the wire form of every time.
-- Stable, as to_char() is: else it would not become part of the statements that use it.
create or replace function provenance.instant(p_at timestamptz) returns text
language sql stable parallel safe as $$
  select to_char(p_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
