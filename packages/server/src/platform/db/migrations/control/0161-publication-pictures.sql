-- Whether readers of a publication see a smaller copy of the picture.
alter table control.publication add column picture boolean not null default false;
