-- A name that no statement has to quote, so that backups take it.
alter table provenance.descriptor rename column position to write_number;
alter index provenance.descriptor_position rename to descriptor_write_number;
