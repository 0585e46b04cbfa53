-- The roots over 2-byte prefixes in the row of the root over their 1-byte prefix, and the roots over 1-byte prefixes in the
-- row of the map. So a proof reads one row, not up to 256 rows. Nodes of an earlier version leave these columns as they
-- are. Therefore `below` is valid only if `below_root` equals the hash, and `top` only if `top_leaves` equals `leaves`.
-- A proof locks the row of the map before rows of nodes, so the tables are changed in this order.
alter table provenance.mention_index add column top bytea, add column top_leaves bigint;
alter table provenance.mention_node add column below bytea, add column below_root bytea;
alter table provenance.record_map add column top bytea, add column top_leaves bigint;
alter table provenance.record_map_node add column below bytea, add column below_root bytea;
