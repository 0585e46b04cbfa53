-- Items in parts, in order: neighbours of which all or none stand at one of the places p_apart. Each item is recorded a
-- microsecond after the one before it; `since` is how long after the first of all that is.
create or replace function provenance.parts(p_items jsonb, p_apart bigint[])
returns table (is_apart boolean, items jsonb, since interval) language plpgsql immutable as $$
begin
  return query
    select i.apart, jsonb_agg(i.value order by i.place), (min(i.place) - 1) * interval '1 microsecond'
    from (
      select value, place, apart, place - row_number() over (partition by apart order by place) as part
      from jsonb_array_elements(p_items) with ordinality as given(value, place),
        lateral (select place = any(p_apart) as apart) a
    ) i
    group by i.apart, i.part
    order by min(i.place);
end
$$;
