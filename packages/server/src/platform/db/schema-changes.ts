import { createHash } from 'node:crypto';
import type { Layer, SqlFile } from './layers.js';

/** Arbitrary key of the advisory lock that prevents two migrations at the same time. */
const MIGRATION_LOCK = 7_230_191;
export const FUNCTIONS = 'functions';

/**
 * Later functions overwrite the checksum in the row `current` of `schema_change`. The row `former` has a part of the
 * checksum in its name, so it stays and shows that these functions were in use.
 */
export function describeFunctions(
  functions: readonly SqlFile[],
): Record<'current' | 'former' | 'checksum', string> {
  const files = functions.map((file) => `${file.name} ${file.checksum}`).join('\n');
  const checksum = createHash('sha256').update(files).digest('hex');
  return { current: FUNCTIONS, former: `${FUNCTIONS} ${checksum.slice(0, 16)}`, checksum };
}

/** Takes the migration lock and creates the table of applied changes. */
export function toEnterSql(layer: Layer): string {
  return `set local client_min_messages = 'warning';
select pg_advisory_xact_lock(${MIGRATION_LOCK});
create schema if not exists ${layer};
create table if not exists ${layer}.schema_change (
  name text primary key, checksum text not null, applied_at timestamptz not null default now());`;
}
