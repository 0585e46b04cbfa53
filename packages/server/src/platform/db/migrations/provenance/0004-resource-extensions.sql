-- What the service found out about a content, by extension key; and what that weighs in an answer.
alter table provenance.resource
  add column extensions jsonb,
  add column extension_bytes int not null generated always as (coalesce(octet_length(extensions::text), 0)) stored;
