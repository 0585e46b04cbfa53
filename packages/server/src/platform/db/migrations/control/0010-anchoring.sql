-- Whether what a project records is anchored, where the service anchors at all.
alter table control.project add column anchoring boolean not null default true;
