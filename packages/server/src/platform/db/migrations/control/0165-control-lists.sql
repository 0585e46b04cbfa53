-- The lists of the control plane read only the rows that they return, in the order of these indexes.
-- They replace the indexes member_account and api_key_project.
set local statement_timeout = 0;
-- A change of an old node can run meanwhile. It uses these tables in this order, so it cannot be in a deadlock with this
-- migration. A request with a key reads api_key before project, and SHARE permits reads of project.
lock table control.member in access exclusive mode;
lock table control.project in share mode;
lock table control.api_key in access exclusive mode;
create index member_of_account on control.member (account_id, created_at desc, org_id desc);
create index member_of_org on control.member (org_id, created_at desc, account_id desc);
create index member_owner on control.member (org_id, created_at, account_id) where role = 'owner';
create index project_of_org on control.project (org_id, created_at desc, id desc) where deleted_at is null;
create index api_key_of_project on control.api_key (project_id, created_at desc, id desc);
drop index control.member_account;
drop index control.api_key_project;
