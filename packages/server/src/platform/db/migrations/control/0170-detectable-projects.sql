set local statement_timeout = 0;

-- Lists the projects that permit the public detector, oldest first.
create index project_public_detector on control.project (created_at, id)
  where public_detector and deleted_at is null;
