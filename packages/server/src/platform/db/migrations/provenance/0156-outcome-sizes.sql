-- Size of the outcome as JSON text, which an erasure knows before it reads the outcome. The stored size would not do:
-- text that repeats takes a hundredth of it. Null in rows of an earlier version.
alter table provenance.idempotency add column outcome_bytes int;
