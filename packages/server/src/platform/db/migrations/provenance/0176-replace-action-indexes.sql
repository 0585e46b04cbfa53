-- Replaces the descending indexes by those of 0175. A transaction of its own cannot deadlock with a recording that waits
-- for the end of 0175. The lock comes first, so no recording can read the table and then wait for this transaction.
lock table provenance.action in access exclusive mode;

drop index provenance.action_recorded;
drop index provenance.action_type;
drop index provenance.action_performer;
drop index provenance.action_session;
drop index provenance.action_marked;
drop index provenance.action_ai_marked;
drop index provenance.action_ai_unmarked;
alter index provenance.action_recorded_next rename to action_recorded;
alter index provenance.action_type_next rename to action_type;
alter index provenance.action_performer_next rename to action_performer;
alter index provenance.action_session_next rename to action_session;
alter index provenance.action_marked_next rename to action_marked;
alter index provenance.action_ai_marked_next rename to action_ai_marked;
alter index provenance.action_ai_unmarked_next rename to action_ai_unmarked;
