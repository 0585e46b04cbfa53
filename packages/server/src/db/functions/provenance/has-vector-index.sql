-- Whether nearest() can search through pgvector's index: it is there, and the extension is 0.8 or later, which reads an
-- index on until enough of one project's content was found (hnsw.iterative_scan).
create or replace function provenance.has_vector_index() returns boolean
language sql stable as $$
  select to_regclass('provenance.descriptor_hnsw') is not null and exists (
    select from pg_extension
    where extname = 'vector' and regexp_match(extversion, '^(\d+)\.(\d+)')::int[] >= '{0,8}')
$$;
