-- Functions that read a history in one statement. Tests and benchmarks compare the service with them. The service does
-- not call these functions, so a test or a benchmark creates them in its own database.

create or replace function provenance.oracle_edges(p_project uuid, p_cid text, p_direction text)
returns table (id uuid) language sql stable as $$
  select o.action_id from provenance.action_output o
  where p_direction = 'ancestors' and o.project_id = p_project and o.cid = p_cid
  union all
  select i.action_id from provenance.action_input i
  where p_direction = 'descendants' and i.project_id = p_project and i.cid = p_cid
$$;

-- Returns the actions that led to a content (`ancestors`) or used it (`descendants`), nearest first. Stops when it has
-- p_limit actions. With p_depth, it marks actions one step beyond p_depth as `beyond`, and stops only after a complete
-- step, so it can return more than p_limit actions. `offset 0` forces index look-ups. Without it, the planner
-- overestimates the recursion and scans complete tables.
create or replace function provenance.oracle_reach(p_project uuid, p_root text, p_direction text, p_depth int,
  p_limit int) returns table (action_id uuid, beyond boolean)
language plpgsql stable as $$
declare
  frontier text[] := array[p_root];
  seen     uuid[] := '{}';
  found_ids uuid[];
begin
  if p_depth is null then
    return query
      with recursive reached(id) as (
          select e.id from provenance.oracle_edges(p_project, p_root, p_direction) e
        union
          select e.id
          from reached,
            lateral (select case p_direction when 'ancestors' then a.inputs else a.outputs end as cids
                     from provenance.action a
                     where a.project_id = p_project and a.id = reached.id offset 0) a,
            lateral unnest(a.cids) as content(cid),
            lateral (select o.action_id as id from provenance.action_output o
                     where p_direction = 'ancestors' and o.project_id = p_project and o.cid = content.cid
                     union all
                     select i.action_id from provenance.action_input i
                     where p_direction = 'descendants' and i.project_id = p_project and i.cid = content.cid
                     offset 0) e
      )
      select reached.id, false from reached limit p_limit;
    return;
  end if;

  for level in 1..p_depth + 1 loop
    select array_agg(distinct e.id) into found_ids
    from unnest(frontier) as content(cid), lateral provenance.oracle_edges(p_project, content.cid, p_direction) e
    where e.id <> all(seen);
    exit when found_ids is null;
    return query select unnest(found_ids), level > p_depth;
    seen := seen || found_ids;
    exit when cardinality(seen) >= p_limit;
    select array_agg(distinct content.cid) into frontier
    from unnest(found_ids) as reached(id),
      lateral (select case p_direction when 'ancestors' then a.inputs else a.outputs end as cids
               from provenance.action a
               where a.project_id = p_project and a.id = reached.id offset 0) a,
      lateral unnest(a.cids) as content(cid);
    exit when frontier is null;
  end loop;
end
$$;

-- Returns as many actions from the beginning of p_actions as fit into about p_max_bytes of JSON, with all related
-- records. Always returns the first action.
create or replace function provenance.oracle_cut_history(p_project uuid, p_actions uuid[], p_cids text[],
  p_max_bytes bigint, out kept_actions uuid[], out kept_attributions uuid[], out whole boolean)
language plpgsql stable as $$
declare
  -- Approximate JSON size of a resource without extensions.
  resource_bytes constant bigint := 500;
begin
  with acts as materialized (
    select *
    from (
      select given.place, a.*, sum(a.weight_bytes) over (order by given.place) as sum_bytes
      from unnest(p_actions) with ordinality as given(id, place),
        lateral (select a.id, a.performed_by, a.inputs, a.outputs, a.weight_bytes from provenance.action a
                 where a.project_id = p_project and a.id = given.id offset 0) a
    ) summed
    where sum_bytes <= p_max_bytes or place = 1
  ),
  -- `place` is the position of the first action that refers to the row.
  content as materialized (
    select cid, min(place) as place
    from (select unnest(p_cids) as cid, 1 as place union all select unnest(outputs || inputs), place from acts) named
    group by cid
  ),
  shown as materialized (
    select id, coalesce(min(place) filter (where is_named), min(place)) as place, min(entity_id) as entity_id,
      min(weight_bytes) as weight_bytes
    from (
      select acts.place, true as is_named, t.*
      from acts, lateral (select t.id, t.entity_id, t.weight_bytes from provenance.attribution t
                          where t.project_id = p_project and t.action_id = acts.id offset 0) t
      union all
      select content.place, false, t.*
      from content, lateral (select t.id, t.entity_id, t.weight_bytes from provenance.attribution t
                             where t.project_id = p_project and t.cid = content.cid offset 0) t
    ) found
    group by id
  ),
  entities as materialized (
    select named.*, e.weight_bytes
    from (
      select id, min(place) as place
      from (select performed_by as id, place from acts union all select entity_id, place from shown) each_named
      group by id
    ) named,
      lateral (select e.weight_bytes from provenance.entity e
               where e.project_id = p_project and e.id = named.id offset 0) e
  ),
  sums as (
    select place, sum(sum(bytes)) over (order by place) as sum_bytes
    from (
      select place, weight_bytes::bigint as bytes from acts
      union all select place, resource_bytes + coalesce(r.extension_bytes, 0)
      from content left join provenance.resource r on r.project_id = p_project and r.cid = content.cid
      union all select place, weight_bytes from shown
      union all select place, weight_bytes from entities
    ) parts
    group by place
  ),
  last as (
    select greatest(1, max(place) filter (where sum_bytes <= p_max_bytes)) as place from sums
  ),
  weighed as (
    select id, sum(weight_bytes + entity_bytes) over (order by place, id) as sum_bytes
    from (
      select shown.*, case when row_number() over (partition by entity_id order by shown.place, shown.id) = 1
        then entities.weight_bytes else 0 end as entity_bytes
      from shown join entities on entities.id = shown.entity_id
      where shown.place <= (select place from last)
    ) each_once
  )
  select
    coalesce((select array_agg(id order by place) from acts where place <= (select place from last)), '{}'),
    coalesce((select array_agg(id) from weighed where sum_bytes <= p_max_bytes), '{}'),
    (select count(*) from shown) = (select count(*) from weighed where sum_bytes <= p_max_bytes)
  into kept_actions, kept_attributions, whole;
  whole := whole and cardinality(kept_actions) = cardinality(p_actions);
end
$$;

-- Returns a history as JSON of the API. Each list begins with its oldest record. When the JSON would exceed about
-- p_max_bytes, the function omits actions from the end of p_actions. p_more: whether further actions exist.
create or replace function provenance.oracle_document(p_project uuid, p_actions uuid[], p_cids text[],
  p_max_bytes bigint, p_more boolean) returns jsonb
language plpgsql stable as $$
declare
  cut record;
begin
  cut := provenance.oracle_cut_history(p_project, p_actions, p_cids, p_max_bytes);
  cut.whole := cut.whole and not p_more;
  return (
    with acts as materialized (
      select a.*
      from unnest(cut.kept_actions) as given(id),
        lateral (select * from provenance.action a
                 where a.project_id = p_project and a.id = given.id offset 0) a
    ),
    content as materialized (
      select unnest(p_cids) as cid union select unnest(outputs) from acts union select unnest(inputs) from acts
    ),
    attributions as materialized (
      select t.* from unnest(cut.kept_attributions) as given(id),
        lateral (select * from provenance.attribution t
                 where t.project_id = p_project and t.id = given.id offset 0) t
    )
    select jsonb_build_object(
      'entities', (
        select coalesce(jsonb_agg(provenance.entity_json(e::provenance.entity) order by e.created_at, e.id), '[]')
        from (select performed_by as id from acts union select entity_id from attributions) named,
          lateral (select * from provenance.entity e
                   where e.project_id = p_project and e.id = named.id offset 0) e),
      'actions', (
        select coalesce(jsonb_agg(provenance.action_json(acts::provenance.action)
          order by acts.recorded_at, acts.id), '[]') from acts),
      'attributions', (
        select coalesce(jsonb_agg(provenance.attribution_json(t::provenance.attribution)
          order by t.created_at, t.id), '[]') from attributions t),
      'resources', (
        select coalesce(jsonb_agg(provenance.resource_json(r) order by r.created_at, r.cid), '[]')
        from content,
          lateral (select * from provenance.resource r
                   where r.project_id = p_project and r.cid = content.cid offset 0) r),
      'complete', cut.whole)
      || case when cut.whole then '{}'::jsonb
        else jsonb_build_object('truncatedAt', cardinality(cut.kept_actions)) end
      || (
        select case when count(*) = 0 then '{}'::jsonb
          else jsonb_build_object('aliases', jsonb_object_agg(a.alias, a.cid)) end
        from (
          select named.cid
          from acts, lateral jsonb_array_elements_text((acts.body->'inputCids') || (acts.body->'outputCids')) named(cid)
          where acts.body->'inputCids' <> to_jsonb(acts.inputs) or acts.body->'outputCids' <> to_jsonb(acts.outputs)
          union
          select t.body->>'resourceCid' from attributions t where t.body->>'resourceCid' <> t.cid
        ) named
        join provenance.content_alias a on a.project_id = p_project and a.alias = named.cid)
  );
end
$$;

-- Returns the history of one content as JSON of the API; null when the project does not know the content. The search is
-- breadth first. It ends at p_limit actions or about p_max_bytes of JSON, but returns at least one action. p_direction
-- is `ancestors`, `descendants` or `both`.
create or replace function provenance.oracle_bundle(p_project uuid, p_cid text, p_direction text, p_depth int,
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
      lateral provenance.oracle_reach(p_project, root, direction, p_depth, p_limit + 1)
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
    || provenance.oracle_document(p_project, ids, array[root], p_max_bytes, more);
  if p_cid <> root then
    shown := shown
      || jsonb_build_object('aliases', coalesce(shown->'aliases', '{}') || jsonb_build_object(p_cid, root));
  end if;
  return shown::text;
end
$$;

-- Returns the actions with the session id p_session and the records that belong to them, oldest first.
create or replace function provenance.oracle_session(p_project uuid, p_session text, p_limit int, p_max_bytes bigint)
returns text
language plpgsql stable as $$
declare
  ids constant uuid[] := array(
    select a.id from provenance.action a where a.project_id = p_project and a.session_id = p_session
    order by a.recorded_at, a.id limit p_limit + 1);
  doc constant jsonb := provenance.oracle_document(p_project, ids[1:p_limit], '{}', p_max_bytes,
    cardinality(ids) > p_limit);
begin
  return (doc || jsonb_build_object(
    'sessionId', p_session,
    'summary', (select jsonb_object_agg(key, jsonb_array_length(doc->key))
                from unnest(array['actions', 'resources', 'entities', 'attributions']) as key)))::text;
end
$$;
