-- The previous version calls these functions while both versions use one database. Delete this file in the next
-- version.
create or replace function provenance.record_all(p_project uuid, p_batch jsonb, p_is_trial boolean) returns jsonb
language sql as $$ select provenance.record_all_or_none(p_project, p_batch, null, p_is_trial) $$;

create or replace function provenance.record_batch(p_project uuid, p_batch jsonb, p_key jsonb) returns jsonb
language sql as $$ select provenance.record_batch(p_project, p_batch, null, p_key) $$;

create or replace function provenance.unexpected_places(p_project uuid, p_expected jsonb) returns int[]
language sql stable as $$ select provenance.items_needing_serial_write(p_project, p_expected) $$;
