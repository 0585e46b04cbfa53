-- Whether everybody may read the project's log, if PUBLIC_LOGS permits it.
alter table control.project add column public_log boolean not null default false;
