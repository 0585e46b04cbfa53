-- What content is found by when it was altered: one row for each method that describes it.
create table provenance.descriptor (
  project_id uuid not null,
  method     text not null,
  cid        text not null,
  -- A unit vector, and the signs of its numbers: near vectors differ in few signs, which is quick to count.
  embedding  real[] not null,
  signs      bit varying not null,
  -- What candidates found by their vectors are checked with.
  evidence   bytea not null,
  created_at timestamptz not null default now(),
  primary key (project_id, method, cid) include (signs)
);
-- Apart from the row, so that counting signs reads little.
alter table provenance.descriptor alter embedding set storage external;
alter table provenance.descriptor alter evidence set storage external;
