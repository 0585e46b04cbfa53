-- What imported content is recognised by, as its manifest says: the SHA-256 of an algorithm and a value.
create table provenance.soft_binding (
  project_id uuid not null,
  digest     bytea not null,
  cid        text not null,
  primary key (project_id, digest, cid)
);
