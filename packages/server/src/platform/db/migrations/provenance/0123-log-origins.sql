-- The name of the project's log (C2SP: its origin), stored with its first leaf and never changed. Null in a log of an
-- earlier version until the next start of a node names it.
alter table provenance.anchor_due add column origin text;

-- Host, and path if the service has one, that the names of new logs begin with. One row, which each start writes.
create table provenance.log_service (
  is_only boolean primary key default true check (is_only),
  name    text not null
);
