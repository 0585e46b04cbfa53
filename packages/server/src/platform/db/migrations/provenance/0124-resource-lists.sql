-- Contents are listed newest first: all, those of a type, and those that an entity made.
create index resource_created on provenance.resource (project_id, created_at desc, cid desc);
create index resource_type on provenance.resource (project_id, type, created_at desc, cid desc);
create index resource_creator on provenance.resource (project_id, created_by, created_at desc, cid desc)
  where created_by is not null;
