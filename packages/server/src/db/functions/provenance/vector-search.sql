-- How nearest() searches, in words for the operator.
create or replace function provenance.vector_search() returns text
language sql stable as $$
  select case when not provenance.has_vector_index() then 'exact search'
    else 'pgvector ' || (select extversion from pg_extension where extname = 'vector') || ', HNSW' end
$$;
