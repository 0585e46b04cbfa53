-- The pending deliveries of a webhook, oldest first.
create index webhook_delivery_pending on provenance.webhook_delivery (project_id, webhook_id, created_at)
  where state = 'pending';

-- Events that the service did not store, because the webhook had too many pending deliveries.
create table provenance.webhook_missed (
  project_id uuid not null,
  webhook_id uuid not null,
  events     bigint not null,
  -- Times of the first and of the newest of these events.
  since      timestamptz not null,
  until      timestamptz not null,
  -- The row counts on while this is true. Otherwise the next missed event starts a new count.
  is_open    boolean not null default true,
  primary key (project_id, webhook_id)
);
