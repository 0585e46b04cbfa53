-- Projects that have, or had, an address to tell of what happens. The log itself is what is told: recordings write
-- nothing more for it.
create table provenance.webhook_feed (
  project_id uuid primary key,
  -- Leaves below this one were told.
  told_size  bigint not null,
  -- What was anchored below this size is of before there was anybody to tell.
  since_size bigint not null
);

-- One message to one address. The body is kept as it was first signed: it names records and shows nothing of them
-- that erasing would take.
create table provenance.webhook_delivery (
  project_id  uuid not null,
  id          uuid not null,
  webhook_id  uuid not null,
  event       text not null,
  body        text not null,
  state       text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempts    int not null default 0,
  last_status smallint,
  last_error  text,
  created_at  timestamptz not null default now(),
  ended_at    timestamptz,
  primary key (project_id, id)
);
create index webhook_delivery_newest on provenance.webhook_delivery (project_id, webhook_id, id desc);
create index webhook_delivery_ended on provenance.webhook_delivery (project_id, ended_at) where ended_at is not null;

-- Whether it was told to the project's addresses.
alter table provenance.anchor_head add column told boolean not null default false;
create index anchor_head_untold on provenance.anchor_head (project_id, size) where not told;
alter table provenance.audit_finding add column told boolean not null default false;
