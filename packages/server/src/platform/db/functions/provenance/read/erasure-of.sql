-- Returns the member `erasure`: the present time, and the JSON pointers of the erased fields (the keys of p_salts).
create or replace function provenance.erasure_of(p_salts jsonb) returns jsonb
language sql volatile as $$
  select jsonb_build_object('at', provenance.instant(clock_timestamp()),
    'fields', (select coalesce(jsonb_agg(pointer order by pointer), '[]') from jsonb_object_keys(p_salts) pointer))
$$;
