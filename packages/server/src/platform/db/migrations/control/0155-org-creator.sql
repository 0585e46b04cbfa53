-- The user who created the organisation; null for those from before this column.
alter table control.org add column created_by text;
create index org_creator on control.org (created_by) where deleted_at is null;
