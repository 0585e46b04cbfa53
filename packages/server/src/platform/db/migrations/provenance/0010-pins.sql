-- Where stored content is pinned beside our own store. While there is a job for it, the pin is to come.
create table provenance.pin (
  project_id uuid not null,
  cid        text not null,
  provider   text not null,
  job_id     uuid not null,
  -- What the service calls the content, and where it serves it; null until it is pinned.
  pinned_as  text,
  uri        text,
  pinned_at  timestamptz,
  primary key (project_id, cid, provider)
);

-- Spares a look at the pins of content that has none: histories show thousands of resources.
alter table provenance.resource add column has_pins boolean not null default false;
