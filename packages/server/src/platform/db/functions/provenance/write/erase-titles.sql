-- Deletes the titles and the thumbnails of the outputs of the entity's next actions before the position p_at, p_id.
-- Examines at most 200 actions, and about 1,000 outputs. Returns the position of the last examined action, or null.
create or replace function provenance.erase_titles(p_project uuid, p_entity text, p_at timestamptz, p_id uuid)
returns jsonb language plpgsql as $$
declare
  last    jsonb;
  removed bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended(p_project::text, 1));
  with counted as (
    select near.*, sum(cardinality(near.outputs)) over newest - cardinality(near.outputs) as outputs_before
    from (
      select a.id, a.recorded_at, a.outputs from provenance.action a
      where a.project_id = p_project and a.performed_by = p_entity and (a.recorded_at, a.id) < (p_at, p_id)
      order by a.recorded_at desc, a.id desc limit 200
    ) near
    window newest as (order by near.recorded_at desc, near.id desc)
  ),
  taken as materialized (select * from counted where outputs_before < 1000),
  deleted_titles as (
    -- With an array, every plan uses the primary key.
    delete from provenance.content_title t
    where t.project_id = p_project and t.cid = any(array(select unnest(taken.outputs) from taken))
    returning 1
  ),
  deleted_thumbnails as (
    delete from provenance.thumbnail t using provenance.resource r
    where r.project_id = p_project and r.cid = any(array(select unnest(taken.outputs) from taken))
      and t.project_id = p_project and t.slot = provenance.thumbnail_slot(r.content_digest)
      and t.content_digest = r.content_digest
  ),
  deleted_words as (
    delete from provenance.title_word w
    where w.project_id = p_project and w.cid = any(array(select unnest(taken.outputs) from taken))
  )
  select (select jsonb_build_object('at', taken.recorded_at, 'id', taken.id) from taken
          order by taken.recorded_at, taken.id limit 1),
    (select count(*) from deleted_titles)
  into last, removed;
  if removed > 0 then perform provenance.note_change(p_project); end if;
  return last;
end
$$;
