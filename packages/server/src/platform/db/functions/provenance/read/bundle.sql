-- Returns the history of one content as JSON of the API; null when the project does not know the content. The search is
-- breadth first. It ends at p_limit actions or about p_max_bytes of JSON. It returns at least one action, if the
-- content has any. The oldest action is first. p_direction is `ancestors`, `descendants` or `both`.
create or replace function provenance.bundle(p_project uuid, p_cid text, p_direction text, p_depth int,
  p_limit int, p_max_bytes bigint) returns text
language plpgsql stable as $$
declare
  root constant text := provenance.resolve(p_project, p_cid);
  ids  uuid[];
  more boolean;
  shown jsonb;
begin
  if not provenance.knows(p_project, root) then return null; end if;
  with reached as materialized (
    select r.action_id, r.beyond, r.place
    from unnest(case p_direction when 'both' then array['ancestors', 'descendants'] else array[p_direction] end)
        as direction,
      lateral provenance.reach(p_project, root, direction, p_depth, p_limit + 1)
        with ordinality as r(action_id, beyond, place)
    union all
    -- Claims and transfers of the content come last, so p_limit cuts them first.
    select e.action_id, false, p_limit + 1 + row_number() over (order by e.leaf_index desc)
    from (select * from provenance.ownership_event e where e.project_id = p_project and e.cid = root
          order by e.leaf_index desc limit p_limit + 1) e
  ),
  nearest as (
    select action_id, row_number() over (order by min(place)) as place
    from reached where not beyond group by action_id
  )
  select coalesce(array_agg(action_id order by place) filter (where place <= p_limit), '{}'),
    count(*) > p_limit or exists (select from reached where beyond)
  into ids, more
  from nearest;

  shown := jsonb_build_object('cid', root)
    || provenance.document(p_project, ids, array[root], p_max_bytes, more);
  if p_cid <> root then
    shown := shown
      || jsonb_build_object('aliases', coalesce(shown->'aliases', '{}') || jsonb_build_object(p_cid, root));
  end if;
  return shown::text;
end
$$;
