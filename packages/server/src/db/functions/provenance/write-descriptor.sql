-- Keeps what content is found by; what the same method said before is replaced.
create or replace function provenance.write_descriptor(p_project uuid, p_descriptor jsonb) returns void
language sql as $$
  insert into provenance.descriptor as d (project_id, method, cid, embedding, signs, evidence)
  values (p_project, p_descriptor->>'method', provenance.resolve(p_project, p_descriptor->>'cid'),
    array(select value::real from jsonb_array_elements_text(p_descriptor->'embedding') with ordinality
          order by ordinality),
    (p_descriptor->>'signs')::bit varying, decode(p_descriptor->>'evidence', 'base64'))
  on conflict (project_id, method, cid) do update
    set embedding = excluded.embedding, signs = excluded.signs, evidence = excluded.evidence
$$;
