-- nearest() through pgvector's index, which it reads on until enough of this project's content was found.
create or replace function provenance.nearest_indexed(p_project uuid, p_method text, p_asked jsonb, p_limit int)
  returns table (cid text, type text, turn int, cosine real, evidence bytea)
language plpgsql as $$
#variable_conflict use_column
begin
  perform set_config('hnsw.iterative_scan', 'strict_order', true);
  perform set_config('hnsw.ef_search', '100', true);
  return query
    with asked as materialized (
      select (ordinality - 1)::int as turn, (value->>'embedding')::vector(512) as embedding
      from jsonb_array_elements(p_asked) with ordinality
    ),
    measured as materialized (
      select near.cid, asked.turn, near.cosine
      from asked, lateral (
        select d.cid, (1 - (d.embedding::vector(512) <=> asked.embedding))::real as cosine
        from provenance.descriptor d
        where d.project_id = p_project and d.method = p_method and cardinality(d.embedding) = 512
        order by d.embedding::vector(512) <=> asked.embedding
        limit p_limit) near
      order by near.cosine desc, near.cid
      limit p_limit
    )
    select measured.cid, r.type, measured.turn, measured.cosine, d.evidence
    from measured,
      lateral (select d.evidence from provenance.descriptor d
               where d.project_id = p_project and d.method = p_method and d.cid = measured.cid offset 0) d,
      lateral (select r.type from provenance.resource r
               where r.project_id = p_project and r.cid = measured.cid offset 0) r
    order by measured.cosine desc, measured.cid;
end
$$;
