-- Stable, because to_char() is stable. If it were declared immutable, PostgreSQL would not inline it.
create or replace function provenance.instant(p_at timestamptz) returns text
language sql stable parallel safe as $$
  select to_char(p_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
