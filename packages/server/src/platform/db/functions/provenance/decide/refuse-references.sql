-- If the item has an action, checks only its entities.
create or replace function provenance.refuse_references(p_project uuid, p_item jsonb) returns jsonb
language plpgsql stable as $$
declare
  performer constant text := p_item->'action'->'body'->>'performedBy';
  attribution jsonb;
  named text;
begin
  if performer is not null and not provenance.has_entity(p_project, performer, p_item->'entities') then
    return jsonb_build_object('outcome', 'unknownEntity', 'entityId', performer);
  end if;
  for attribution in select value->'body' from jsonb_array_elements(p_item->'attributions') loop
    named := attribution->>'entityId';
    if named is distinct from performer and not provenance.has_entity(p_project, named, p_item->'entities') then
      return jsonb_build_object('outcome', 'unknownEntity', 'entityId', named);
    end if;
    continue when performer is not null;
    named := attribution->>'actionId';
    if named is not null and not exists (
      select from provenance.action a where a.project_id = p_project and a.id = named::uuid)
    then
      return jsonb_build_object('outcome', 'unknownAction', 'actionId', named);
    end if;
    named := attribution->>'resourceCid';
    if named is not null and not provenance.knows(p_project, provenance.resolve(p_project, named)) then
      return jsonb_build_object('outcome', 'unknownContent', 'cid', named);
    end if;
  end loop;
  return null;
end
$$;
