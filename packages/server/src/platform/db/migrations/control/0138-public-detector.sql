-- Whether the public detector finds the live publications of the project.
alter table control.project add column public_detector boolean not null default false;
