-- The order in which a project's descriptors were written, so that a node can read those that it has not seen.
-- Earlier rows have none: a node reads all rows once.
alter table provenance.descriptor add column write_number bigint;
create index descriptor_write_number on provenance.descriptor (project_id, write_number)
  where write_number is not null;
-- Vectors are searched in memory: decision 39.
drop index if exists provenance.descriptor_hnsw;
