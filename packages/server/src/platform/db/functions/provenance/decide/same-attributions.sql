-- `created` is true if the stored attribution has the id from p_attributions: the caller has just written it. With the
-- setting `provenance.in_brief`, each attribution has only its id and its entity.
create or replace function provenance.same_attributions(p_project uuid, p_attributions jsonb) returns jsonb
language plpgsql stable as $$
declare
  in_brief constant boolean := coalesce(current_setting('provenance.in_brief', true), '') = 'on';
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'created', found.id = (given.draft->>'id')::uuid, 'attribution', case
        when in_brief then jsonb_build_object('id', found.id, 'entityId', found.entity_id)
        else (select provenance.attribution_json(t) from provenance.attribution t
          where t.project_id = p_project and t.id = found.id) end)
      order by given.place), '[]')
    from jsonb_array_elements(p_attributions) with ordinality as given(draft, place),
      lateral (select provenance.stored_attribution(p_project, given.draft->'body') as id offset 0) same,
      lateral (select t.id, t.entity_id from provenance.attribution t
        where t.project_id = p_project and t.id = same.id offset 0) found);
end
$$;
