import type { Tx } from '../db/database.js';
import { assertLease } from '../jobs/lease.sql.js';
import type { AnchoringDeps } from './needs.js';

/** Commits what `run` wrote only when this node leads: two nodes never sign for the same nonce. */
export function withLease<T>(
  { provenance, lease }: Pick<AnchoringDeps, 'provenance' | 'lease'>,
  run: (tx: Tx) => Promise<T>,
): Promise<T> {
  return provenance.transaction(async (tx) => {
    await assertLease(tx, lease);
    return run(tx);
  });
}
