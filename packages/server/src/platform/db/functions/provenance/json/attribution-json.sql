create or replace function provenance.attribution_json(p_attribution provenance.attribution) returns jsonb
language sql stable as $$
  select case when p_attribution.erasure is null then p_attribution.body
    else provenance.without_erased(p_attribution.body, p_attribution.erasure) end
$$;
