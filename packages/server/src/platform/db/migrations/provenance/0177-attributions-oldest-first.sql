-- Attributions, oldest first, for the reason that 0175 states. Reads go on while the indexes are built. Recordings wait.
set local statement_timeout = 0;

create index attribution_created_next on provenance.attribution (project_id, created_at, id);
create index attribution_entity_next on provenance.attribution (project_id, entity_id, created_at, id);
