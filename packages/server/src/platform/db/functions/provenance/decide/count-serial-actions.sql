-- Counts the new actions that record_runs() would write one by one. Several actions with the same id count once. Uses
-- only the members `apart`, `outputs` and `chained` of p_expected; if p_expected is null, counts all items.
create or replace function provenance.count_serial_actions(p_project uuid, p_items jsonb, p_expected jsonb) returns int
language plpgsql stable as $$
declare
  serial constant int[] := provenance.items_needing_serial_write(p_project, jsonb_strip_nulls(jsonb_build_object(
    'apart', p_expected->'apart', 'outputs', p_expected->'outputs', 'chained', p_expected->'chained')));
begin
  return (
    select count(distinct item->'action'->>'id') from jsonb_array_elements(p_items) with ordinality as i(item, place)
    where item ? 'action' and (p_expected is null or place = any(serial))
      and (select a.id from provenance.action a
        where a.project_id = p_project and a.id = (item->'action'->>'id')::uuid) is null);
end
$$;
