-- The title of a content: the name of its file, or a text that a caller chose. No digest covers it.
create table provenance.content_title (
  project_id uuid not null,
  -- Canonical.
  cid        text not null,
  title      text not null,
  primary key (project_id, cid)
);
