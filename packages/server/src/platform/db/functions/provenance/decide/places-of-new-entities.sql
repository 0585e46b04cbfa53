-- The places, from 1, of items that bring one entity alone which nobody knows yet, and which no earlier item brings: they
-- need no decision. Called under the project's lock.
create or replace function provenance.places_of_new_entities(p_project uuid, p_items jsonb) returns bigint[]
language plpgsql stable as $$
begin
  return array(
    select place from (
      select i.place, i.value - 'entities' = '{}' and jsonb_array_length(i.value->'entities') = 1
          and given.draft->'body' ? 'role' as is_alone, given.draft->>'id' as id,
        row_number() over (partition by given.draft->>'id' order by i.place) as nth
      from jsonb_array_elements(p_items) with ordinality as i(value, place),
        jsonb_array_elements(i.value->'entities') as given(draft)
    ) named
    where is_alone and nth = 1 and not exists (
      select from provenance.entity e where e.project_id = p_project and e.id = named.id offset 0)
  );
end
$$;
