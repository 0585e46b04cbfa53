-- Returns the API's JSON of p_actions and of the content in p_cids, with the content, entities and attributions that
-- belong to them. Each list begins with its oldest record. When the JSON would exceed about p_max_bytes, the function
-- omits actions from the end of p_actions. The caller sets p_more when further actions exist.
create or replace function provenance.document(p_project uuid, p_actions uuid[], p_cids text[], p_max_bytes bigint,
  p_more boolean) returns jsonb
language plpgsql stable as $$
declare
  cut record;
begin
  cut := provenance.cut_history(p_project, p_actions, p_cids, p_max_bytes);
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
        -- Aliases in actions and attributions. The list `resources` shows only canonical CIDs.
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
