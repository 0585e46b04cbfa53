-- Lists of open invitations name each one by its id, because its digest stays secret.
alter table control.invitation
  add column id uuid not null default gen_random_uuid(),
  add column created_at timestamptz not null default now();
create index invitation_org on control.invitation (org_id, created_at, id);
