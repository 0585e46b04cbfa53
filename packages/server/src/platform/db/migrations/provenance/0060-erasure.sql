-- Which personal fields of a record were erased, and when: {"at", "fields": JSON pointers}. Each then is a commitment
-- in its body, whose salt is gone. An action whose fingerprint is empty can no longer be told from another request.
alter table provenance.entity add column erasure jsonb;
alter table provenance.action add column erasure jsonb;
alter table provenance.attribution add column erasure jsonb;
