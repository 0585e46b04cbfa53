-- The order in which a project's descriptors were written, so that a node can ask for those that it has not seen.
-- Rows from before have none: a node reads all rows once.
alter table provenance.descriptor add column position bigint;
create index descriptor_position on provenance.descriptor (project_id, position) where position is not null;
-- Vectors are searched in memory: decision 39.
drop index if exists provenance.descriptor_hnsw;
