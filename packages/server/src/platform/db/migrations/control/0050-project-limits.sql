-- What a project may use. Null: as much as it likes.
alter table control.project
  add column max_stored_bytes bigint check (max_stored_bytes >= 0),
  add column max_records bigint check (max_records >= 0),
  -- In a calendar month, in UTC.
  add column max_requests_month bigint check (max_requests_month >= 0),
  -- On each node; null: MAX_PROJECT_UPLOADS.
  add column max_uploads integer check (max_uploads >= 0);
