import type { Database, Tx } from '../db/database.js';
import { assertLease, type Lease } from './lease.sql.js';

/** Commits what `run` wrote only while this node has the lease: two nodes never do the same work. */
export function withLease<T>(
  { provenance, lease }: { provenance: Database; lease: Lease },
  run: (tx: Tx) => Promise<T>,
): Promise<T> {
  return provenance.transaction(async (tx) => {
    await assertLease(tx, lease);
    return run(tx);
  });
}
