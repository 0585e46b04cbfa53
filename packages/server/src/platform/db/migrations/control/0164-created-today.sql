-- Limits count what was created in the last 24 hours, also if it was deleted since.
create index org_created on control.org (created_by, created_at);
create index project_created on control.project (org_id, created_at);
