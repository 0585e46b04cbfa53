create or replace function provenance.entity_json(p_entity provenance.entity) returns jsonb
language sql stable as $$
  select case when p_entity.erasure is null then p_entity.body
    else provenance.without_erased(p_entity.body, p_entity.erasure) end
$$;
