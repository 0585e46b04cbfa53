-- Whether readers of a publication see the terms of the licences, also without the other extensions.
alter table control.publication add column license boolean not null default false;
