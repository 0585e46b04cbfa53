-- Whether readers of a publication see the titles of its contents.
alter table control.publication add column titles boolean not null default false;
