-- Bodies of events. The deliveries of an event to all webhooks refer to one row, so the body is stored once.
create table provenance.webhook_body (
  project_id uuid not null,
  id         uuid not null,
  -- Empty after the last of the deliveries has ended.
  body       text not null,
  -- Number of pending deliveries with this body.
  pending    int not null,
  primary key (project_id, id)
);

-- The rows that are no longer needed. The next event or ping of the project deletes them.
create index webhook_body_unused on provenance.webhook_body (project_id) where pending = 0;

-- Null for deliveries of nodes of an earlier version, which have their body in the column `body`. It is empty in the
-- other deliveries. `body_bytes`: the size of the body, by which a count of pending deliveries need not read it.
alter table provenance.webhook_delivery add column body_id uuid, add column body_bytes int;
