-- Drops functions that neither this version nor the previous version calls. The two short forms of `bundle` are from
-- older versions.
drop function if exists provenance.record_all(uuid, jsonb, boolean);
drop function if exists provenance.record_batch(uuid, jsonb, jsonb);
drop function if exists provenance.unexpected_places(uuid, jsonb);
drop function if exists provenance.record_leaves(uuid, jsonb);
drop function if exists provenance.likely_near(uuid, text, jsonb, int);
drop function if exists provenance.bundle(uuid, text, int);
drop function if exists provenance.bundle(uuid, text, text, int, int);
drop function if exists provenance.bundle(uuid, text, text, int, int, bigint);
drop function if exists provenance.session(uuid, text, int, bigint);
drop function if exists provenance.document(uuid, uuid[], text[], bigint, boolean);
drop function if exists provenance.cut_history(uuid, uuid[], text[], bigint);
drop function if exists provenance.reach(uuid, text, text, int, int);
drop function if exists provenance.edges(uuid, text, text);
