-- What each record weighs as JSON: answers are made in memory, and are cut by it. Generated, so that every change counts.
alter table provenance.action drop column weight_bytes;
alter table provenance.action
  add column weight_bytes int not null generated always as (octet_length(body::text)) stored;
alter table provenance.entity
  add column weight_bytes int not null generated always as (octet_length(body::text)) stored;
alter table provenance.attribution
  add column weight_bytes int not null generated always as (octet_length(body::text)) stored;

-- Replaced by functions of other parameters.
drop function if exists provenance.document(uuid, uuid[], text[]);
drop function if exists provenance.session(uuid, text, int);
