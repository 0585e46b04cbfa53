import type { Queryable } from '../database.js';
import { NotPartitionableError } from '../partition/large-tables.js';

/**
 * Session names of nodes that must stop before `colophon db distribute`. Behind a transaction pooler, a node does not
 * see when a new session begins. With a replica, a node cannot use a cluster. An `application_name` in DATABASE_URL or
 * the variable PGAPPNAME replaces these names and hides the node.
 */
export const NAME_BEHIND_POOLER = 'colophon behind a pooler';
export const NAME_WITH_REPLICA = 'colophon with a replica';

/** After this time without a statement, a node counts as stopped. A pooler keeps the sessions of a stopped node. */
const RECENT_SECONDS = 15;

/** Rejects while a running node cannot follow a distribution. */
export async function assertAllFollow(db: Queryable): Promise<void> {
  const rows = await db.query<{ name: string }>(
    `select distinct application_name as name from pg_stat_activity
     where datname = current_database() and application_name = any ($1::text[])
       and (state <> 'idle' or state_change > now() - make_interval(secs => ${RECENT_SECONDS}))
     order by 1`,
    [[NAME_BEHIND_POOLER, NAME_WITH_REPLICA]],
  );
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => `"${name}"`).join(', ');
  throw new NotPartitionableError(
    `Nodes that cannot follow the distribution use this database (sessions named ${names} in pg_stat_activity). Stop all nodes with DATABASE_POOLER=transaction or DATABASE_REPLICA_URL, wait ${RECENT_SECONDS} s, and run the command again.`,
  );
}
