-- Keeps what content is found by; what the same method said before is replaced. The embedding is a text such as
-- `{0.6,0.8}`, or an array. Writers of a project take turns, so that its write numbers become visible in order.
create or replace function provenance.write_descriptor(p_project uuid, p_descriptor jsonb) returns void
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(p_project::text, 1));
  insert into provenance.descriptor as d (project_id, method, cid, embedding, signs, evidence, write_number)
  values (p_project, p_descriptor->>'method', provenance.resolve(p_project, p_descriptor->>'cid'),
    translate(p_descriptor->>'embedding', '[]', '{}')::real[],
    (p_descriptor->>'signs')::bit varying, decode(p_descriptor->>'evidence', 'base64'),
    (select coalesce(max(last.write_number), 0) + 1 from provenance.descriptor last where last.project_id = p_project))
  on conflict (project_id, method, cid) do update set embedding = excluded.embedding, signs = excluded.signs,
    evidence = excluded.evidence, write_number = excluded.write_number;
end
$$;
