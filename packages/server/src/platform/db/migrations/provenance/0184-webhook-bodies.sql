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

-- The rows that are no longer needed. The next event or ping of the project deletes them. The index must not depend on
-- `pending`. Otherwise each change of this number would write all indexes (no HOT update).
create index webhook_body_unused on provenance.webhook_body (project_id) where body = '';

-- `body_id` is null in deliveries that an earlier version created. Their body is in the column `body`, which is empty in
-- all other deliveries. `body_bytes`: size of the body. The count of pending bytes reads it instead of the body.
alter table provenance.webhook_delivery add column body_id uuid, add column body_bytes int;
