import type { Ownership } from '@colophon/model';
import type { RecordDeps } from '../deps.js';
import { readOwnership } from '../read/ownership.sql.js';

/**
 * Reads the owner, claims and transfers of a content in the fair queue, because a response can have a thousand large
 * actions. Undefined when there is no such resource.
 */
export function readOwnershipInTurn(
  { reads, scheduler }: Pick<RecordDeps, 'reads' | 'scheduler'>,
  { projectId, cid, signal }: { projectId: string; cid: string; signal: AbortSignal },
): Promise<Ownership | undefined> {
  return scheduler.run({ projectId, kind: 'history', signal }, () => readOwnership(reads, projectId, cid));
}
