-- A cache of thumbnails. The service can make each of them again from the bytes of its content.
create table provenance.thumbnail (
  project_id     uuid not null,
  -- From the digest (thumbnail_slot). A thumbnail replaces another one of its slot, so a project has a limited number.
  slot           smallint not null,
  -- SHA-256 of the content.
  content_digest bytea not null,
  -- Version of the drawing. The service ignores the rows of other versions.
  drawing        smallint not null,
  media_type     text not null,
  body           bytea not null,
  primary key (project_id, slot)
);
-- The bodies are compressed pictures.
alter table provenance.thumbnail alter column body set storage external;
