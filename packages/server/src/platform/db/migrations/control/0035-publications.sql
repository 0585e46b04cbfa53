-- What a project lets everybody read who knows its id.
create table control.publication (
  project_id      uuid not null references control.project,
  -- Random: nothing else protects it.
  id              text not null unique,
  cid             text not null,
  title           text,
  -- What is left out: names of it, in JSON.
  withhold        jsonb not null,
  -- Entities shown under a pseudonym alone: "all", or their ids.
  hidden_entities jsonb not null,
  -- Keys the pseudonyms, so that those of two publications cannot be compared.
  pseudonym_key   bytea not null,
  created_at      timestamptz not null default now(),
  expires_at      timestamptz,
  revoked_at      timestamptz,
  primary key (project_id, id)
);
create index publication_list on control.publication (project_id, created_at desc, id desc);

-- Whether everybody may ask if the project knows a content.
alter table control.project add column public_checks boolean not null default false;
create index project_public_checks on control.project (created_at) where public_checks and deleted_at is null;
