-- Makes pgvector's index when the extension is there, or can be had; without it nearest() is exact. Called at each
-- start, so that an extension which is installed later is used from the next start on.
create or replace function provenance.adopt_vector_index() returns text
language plpgsql as $$
begin
  if to_regclass('provenance.descriptor_hnsw') is null then
    perform pg_advisory_xact_lock(7230192);
    begin
      create extension if not exists vector;
      create index if not exists descriptor_hnsw on provenance.descriptor
        using hnsw ((embedding::vector(512)) vector_cosine_ops) where cardinality(embedding) = 512;
    exception
      -- Not installed on the server, or of a version without this index, or not for this role to make.
      when feature_not_supported or undefined_file or undefined_object or insufficient_privilege then null;
    end;
  end if;
  return provenance.vector_search();
end
$$;
