-- True while roots over 1-byte prefixes are missing, because the map has covered further leaves only in part.
alter table provenance.mention_index add column has_gaps boolean not null default false;
alter table provenance.record_map add column has_gaps boolean not null default false;
