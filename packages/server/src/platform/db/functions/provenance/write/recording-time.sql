-- Returns now, or 1 µs after the project's last action if that is later: times have the order of the leaves. Ignores an
-- action more than a second in the future, because a wrong clock set its time. The caller holds the project's lock.
create or replace function provenance.recording_time(p_project uuid) returns timestamptz
language plpgsql volatile as $$
declare
  at       constant timestamptz := clock_timestamp();
  earliest constant timestamptz := (
    select a.recorded_at + interval '1 microsecond' from provenance.action a
    where a.project_id = p_project and a.recorded_at < at + interval '1 second'
    order by a.recorded_at desc, a.id desc limit 1);
begin
  return greatest(at, earliest);
end
$$;
