-- A descriptor replaces the earlier descriptor of the same method and content. `embedding` is a text such as
-- `{0.6,0.8}`, or a JSON array. The lock lasts until the transaction ends, so a reader of the write numbers above its
-- last one misses none.
create or replace function provenance.write_descriptors(p_project uuid, p_descriptors jsonb) returns void
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(p_project::text, 1));
  insert into provenance.descriptor as d (project_id, method, cid, embedding, signs, evidence, write_number)
  select p_project, given->>'method', provenance.resolve(p_project, given->>'cid'),
    translate(given->>'embedding', '[]', '{}')::real[],
    (given->>'signs')::bit varying, decode(given->>'evidence', 'base64'), last.number + place
  from (select coalesce(max(write_number), 0) as number from provenance.descriptor where project_id = p_project) last,
    jsonb_array_elements(p_descriptors) with ordinality as g(given, place)
  on conflict (project_id, method, cid) do update set embedding = excluded.embedding, signs = excluded.signs,
    evidence = excluded.evidence, write_number = excluded.write_number;
end
$$;
