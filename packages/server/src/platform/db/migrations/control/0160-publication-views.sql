-- How often the history of a publication was read. No row has data of a reader.
create table control.publication_views (
  project_id     uuid not null,
  publication_id text not null,
  views          bigint not null,
  primary key (project_id, publication_id)
);
