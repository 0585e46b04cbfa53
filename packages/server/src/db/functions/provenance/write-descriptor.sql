-- Keeps what content is found by; what the same method said before is replaced. The embedding is a text such as
-- `{0.6,0.8}`, or an array.
create or replace function provenance.write_descriptor(p_project uuid, p_descriptor jsonb) returns void
language sql as $$
  insert into provenance.descriptor as d (project_id, method, cid, embedding, signs, evidence)
  values (p_project, p_descriptor->>'method', provenance.resolve(p_project, p_descriptor->>'cid'),
    translate(p_descriptor->>'embedding', '[]', '{}')::real[],
    (p_descriptor->>'signs')::bit varying, decode(p_descriptor->>'evidence', 'base64'))
  on conflict (project_id, method, cid) do update
    set embedding = excluded.embedding, signs = excluded.signs, evidence = excluded.evidence
$$;
