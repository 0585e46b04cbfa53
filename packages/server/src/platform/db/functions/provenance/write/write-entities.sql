-- Returns each stored entity (with `provenance.in_brief`, only its id), and whether this call created it.
create or replace function provenance.write_entities(p_project uuid, p_entities jsonb, p_at timestamptz)
returns jsonb language plpgsql as $$
declare
  draft jsonb;
  leaf  bigint := provenance.log_size(p_project);
  made  text[] := '{}';
begin
  for draft in select value from jsonb_array_elements(p_entities) loop
    -- A draft without a role belongs to a stored entity, because decide() refuses a new entity without a role.
    continue when not draft->'body' ? 'role';
    insert into provenance.entity (project_id, id, role, body, digest, salts, created_at, leaf_index)
    values (p_project, draft->>'id', draft->'body'->>'role', draft->'body', decode(draft->>'digest', 'hex'),
      draft->'salts', p_at, leaf)
    on conflict do nothing;
    if found then
      perform provenance.append_leaf(p_project, leaf, 'entity', draft);
      leaf := leaf + 1;
      made := made || (draft->>'id');
    end if;
  end loop;
  if current_setting('provenance.in_brief', true) = 'on' then
    return (
      select jsonb_agg(jsonb_build_object('id', given.draft->>'id', 'created', given.draft->>'id' = any(made)) order by given.place)
      from jsonb_array_elements(p_entities) with ordinality as given(draft, place)
      where (select e.id from provenance.entity e
        where e.project_id = p_project and e.id = given.draft->>'id') is not null);
  end if;
  return (
    select jsonb_agg(jsonb_build_object('id', (stored.e).id, 'created', (stored.e).id = any(made),
      'entity', provenance.entity_json(stored.e)) order by given.place)
    from jsonb_array_elements(p_entities) with ordinality as given(draft, place),
      lateral (select e from provenance.entity e
        where e.project_id = p_project and e.id = given.draft->>'id' offset 0) stored);
end
$$;
