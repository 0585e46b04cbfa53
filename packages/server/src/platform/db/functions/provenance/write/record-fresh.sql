-- Fresh items, which do not need decide(), come first, with one statement per table. The other items follow one by one.
-- Returns {at, apart, outcomes}. `at` is the time of the first fresh item in microseconds since 1970; each next fresh
-- item is one microsecond later. `apart` lists the positions of the other items, and `outcomes` their outcomes.
create or replace function provenance.record_fresh(p_project uuid, p_batch jsonb, p_expected jsonb) returns jsonb
language plpgsql set jit = off set plan_cache_mode = force_generic_plan as $$
declare
  apart    int[];
  at       timestamptz;
  fresh    jsonb := p_batch;
  rest     jsonb := '[]';
  outcomes jsonb[] := '{}';
begin
  perform pg_advisory_xact_lock(hashtextextended(p_project::text, 1));
  at := provenance.recording_time(p_project);
  apart := provenance.items_needing_serial_write(p_project, p_expected);
  if apart <> '{}' then
    select coalesce(jsonb_agg(value order by place) filter (where place <> all(apart)), '[]'),
      coalesce(jsonb_agg(value order by place) filter (where place = any(apart)), '[]')
    into fresh, rest
    from jsonb_array_elements(p_batch) with ordinality as i(value, place);
  end if;
  if fresh <> '[]' then
    perform provenance.write_fresh(p_project, fresh, at, p_expected ? 'uploads');
    if p_expected ? 'scopes' then perform provenance.keep_fresh(p_project, fresh, at); end if;
  end if;
  if rest <> '[]' then
    if p_expected ? 'longestWalk' then
      perform set_config('provenance.longest_walk', p_expected->>'longestWalk', true);
    end if;
    outcomes := provenance.record_decided(p_project, rest,
      at + jsonb_array_length(fresh) * interval '1 microsecond');
  end if;
  perform provenance.note_growth(p_project);
  return jsonb_build_object('at', (extract(epoch from at) * 1000000)::bigint, 'apart', apart, 'outcomes', outcomes);
end
$$;
