/** Tables whose records belong to no project. Statements of a project join them, so Citus copies them to each node. */
export const REFERENCE_TABLES = ['anchor', 'anchor_transaction', 'log_key', 'log_service', 'log_timestamp'];

/** Tables of the whole service. They stay on the coordinator, as do all tables of the schema `control`. */
export const LOCAL_TABLES = ['audit_pass', 'lease', 'schema_change'];
