-- The ISCC (ISO 24138) of stored content: `code` as others exchange it, and its units with all bits.
create table provenance.iscc (
  project_id uuid not null,
  cid        text not null,
  code       text not null,
  -- `text`, `image` or `audio`. Empty without a Content-Code.
  medium     text not null,
  content    bit varying not null,
  data       bytea not null,
  instance   bytea not null,
  primary key (project_id, cid)
);
create index iscc_instance on provenance.iscc (project_id, instance);
-- A near search reads only this index, in the order of the CIDs.
create index iscc_content on provenance.iscc (project_id, medium, cid) include (content);
