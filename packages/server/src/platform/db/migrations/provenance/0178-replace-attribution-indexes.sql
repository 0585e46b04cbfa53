-- Replaces the descending indexes by those of 0177. A transaction of its own cannot deadlock with a recording that waits
-- for the end of 0177. The lock comes first, so no recording can read the table and then wait for this transaction.
lock table provenance.attribution in access exclusive mode;

drop index provenance.attribution_created;
drop index provenance.attribution_entity;
alter index provenance.attribution_created_next rename to attribution_created;
alter index provenance.attribution_entity_next rename to attribution_entity;
