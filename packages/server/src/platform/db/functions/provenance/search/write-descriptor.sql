create or replace function provenance.write_descriptor(p_project uuid, p_descriptor jsonb) returns void
language sql as $$
  select provenance.write_descriptors(p_project, jsonb_build_array(p_descriptor));
$$;
