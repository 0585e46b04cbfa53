-- Limits count what was created in the last 24 hours, even if it is deleted now.
create index org_creator_time on control.org (created_by, created_at);
create index project_created on control.project (org_id, created_at);
