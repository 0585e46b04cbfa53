-- Records items in order. Consecutive items of one kind that do not need decide() form a run, which is written with one
-- statement per table. The other items are written one by one: if they have more than `maxSerialActions` actions,
-- writes nothing and returns the outcome `serial`. The outcome of an item in a run has only the members that
-- record_batch() reads. The caller holds the project's lock.
create or replace function provenance.record_runs(p_project uuid, p_items jsonb, p_expected jsonb) returns jsonb[]
language plpgsql as $$
declare
  serial   int[] := provenance.items_needing_serial_write(p_project, p_expected);
  most     constant int := (p_expected->>'maxSerialActions')::int;
  at       constant timestamptz := provenance.recording_time(p_project);
  all_are  boolean := false;
  actions  int;
  run      record;
  outcomes jsonb[] := '{}';
begin
  -- If a name is an alias, the identifiers do not show which items touch the same content, so decide() checks all.
  all_are := serial <> '{}' and exists (
    select from jsonb_object_keys(p_expected->'names') named(cid)
    where (select a.alias from provenance.content_alias a
      where a.project_id = p_project and a.alias = named.cid) is not null);
  if all_are or cardinality(serial) > most then
    actions := provenance.count_serial_actions(p_project, p_items, case when all_are then null else p_expected end);
    if actions > most then
      return array[jsonb_build_object('outcome', 'serial', 'actions', actions, 'most', most)];
    end if;
  end if;
  if all_are then return provenance.record_decided(p_project, p_items, at); end if;
  for run in
    select kind, jsonb_agg(item order by place) as items, at + (min(place) - 1) * interval '1 microsecond' as at
    from (
      select item, place, kind, place - row_number() over (partition by kind order by place) as nth
      from (
        select item, place,
          case when place = any(serial) then 'serial' when item ? 'action' then 'actions'
            when item ? 'attributions' then 'attributions' else 'entities' end as kind
        from jsonb_array_elements(p_items) with ordinality as i(item, place)
      ) of_kind
    ) numbered
    group by kind, nth order by min(place)
  loop
    if run.kind = 'serial' then
      outcomes := outcomes || provenance.record_decided(p_project, run.items, run.at);
    elsif run.kind = 'entities' then
      outcomes := outcomes || provenance.write_new_entities(p_project, run.items, run.at);
    elsif run.kind = 'attributions' then
      outcomes := outcomes || provenance.write_attributions(p_project, run.items, run.at);
    else
      perform provenance.write_fresh(p_project, run.items, run.at, false);
      outcomes := outcomes || array(
        select jsonb_build_object('outcome', 'recorded', 'action', jsonb_build_object('id', act->'id',
          'performedBy', act->'body'->'performedBy', 'digest', 'sha256:' || (act->>'digest')))
        from jsonb_array_elements(run.items) with ordinality as i(item, place),
          lateral (select item->'action' as act offset 0) part
        order by place);
    end if;
  end loop;
  return outcomes;
end
$$;
