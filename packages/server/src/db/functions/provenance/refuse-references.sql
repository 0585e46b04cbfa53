-- Why an item names something that this project does not have, as the outcome to answer with; null when it
-- names nothing unknown. Entities of the item itself count as known.
create or replace function provenance.refuse_references(p_project uuid, p_item jsonb) returns jsonb
language plpgsql stable as $$
declare
  act  constant jsonb := p_item->'action';
  made constant jsonb := coalesce(p_item->'entities', '[]');
  lacking text;
begin
  select named.id into lacking
  from (
    select act->'body'->>'performedBy' as id
    union all select t->'body'->>'entityId' from jsonb_array_elements(coalesce(p_item->'attributions', '[]')) t
  ) named
  where named.id is not null
    and not exists (select from jsonb_array_elements(made) e where e->>'id' = named.id)
    and not exists (select from provenance.entity e where e.project_id = p_project and e.id = named.id)
  limit 1;
  if lacking is not null then
    return jsonb_build_object('outcome', 'unknownEntity', 'entityId', lacking);
  end if;

  if act is null then
    select t->'body'->>'actionId' into lacking
    from jsonb_array_elements(coalesce(p_item->'attributions', '[]')) t
    where t->'body' ? 'actionId' and not exists (
      select from provenance.action a
      where a.project_id = p_project and a.id = (t->'body'->>'actionId')::uuid)
    limit 1;
    if lacking is not null then return jsonb_build_object('outcome', 'unknownAction', 'actionId', lacking); end if;
    select t->'body'->>'resourceCid' into lacking
    from jsonb_array_elements(coalesce(p_item->'attributions', '[]')) t
    where t->'body' ? 'resourceCid'
      and not provenance.knows(p_project, provenance.resolve(p_project, t->'body'->>'resourceCid'))
    limit 1;
    if lacking is not null then return jsonb_build_object('outcome', 'unknownContent', 'cid', lacking); end if;
  elsif (p_item->>'inputsMustBeKnown')::boolean then
    select input.cid into lacking
    from unnest(provenance.resolve_all(p_project, act->'body'->'inputCids')) as input(cid)
    where not provenance.knows(p_project, input.cid)
    limit 1;
    if lacking is not null then return jsonb_build_object('outcome', 'unknownContent', 'cid', lacking); end if;
  end if;
  return null;
end
$$;
