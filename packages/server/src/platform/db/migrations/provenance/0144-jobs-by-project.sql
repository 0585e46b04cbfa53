-- A claim visits the projects of a kind in turn, and reads the due jobs of each in order.
create index outbox_due_by_project on provenance.outbox (kind, project_id, due_at) where state = 'pending';
drop index if exists provenance.outbox_due;
