import { createHash, randomUUID } from 'node:crypto';
import { keepLease } from '../../platform/jobs/leader-loop.js';
import { deleteLease, type Lease, takeLease } from '../../platform/jobs/lease.sql.js';
import { sleepUntil } from '../../platform/sleep-until.js';
import { createSharedTasks } from '../../platform/work/shared-tasks.js';
import type { RecordDeps } from '../deps.js';
import { erasePersonalData, type PersonalDataErasure } from './erase-personal-data.js';

/** `signal` aborts when the caller disconnects. */
export interface ErasureSubject {
  projectId: string;
  entityId: string;
  signal: AbortSignal;
}

export type Erase = (subject: ErasureSubject) => Promise<PersonalDataErasure>;

type SharingDeps = Pick<RecordDeps, 'provenance' | 'scheduler'> & {
  reportFailure: (error: unknown) => void;
  /** Interval at which a request checks whether the erasure on another node has ended. */
  pollMs?: number;
};

/** After a crash, the next erasure of the same entity waits for this time. */
const LEASE_SECONDS = 30;
const DEFAULT_POLL_MS = 1_000;

/**
 * Runs at most one erasure of an entity at a time. Requests on the same node share it. A request on another node waits,
 * and then erases the remaining data. Two erasures at the same time also give the right result.
 */
export function createErase(deps: SharingDeps): Erase {
  const join = createSharedTasks<PersonalDataErasure>();
  return ({ projectId, entityId, signal }) =>
    join(`${projectId} ${entityId}`, signal, (left) =>
      eraseAlone(deps, { projectId, entityId, signal: left }),
    );
}

/** Each erasure has its own lease holder, so a new erasure waits for one whose callers have all disconnected. */
async function eraseAlone(
  { provenance, scheduler, reportFailure, pollMs = DEFAULT_POLL_MS }: SharingDeps,
  subject: ErasureSubject,
): Promise<PersonalDataErasure> {
  const lease: Lease = { name: toName(subject), holder: randomUUID(), seconds: LEASE_SECONDS };
  const extend = () => takeLease(provenance, lease);
  while (!(await extend())) {
    await sleepUntil(pollMs, subject.signal);
    subject.signal.throwIfAborted();
  }
  const { signal: stopping } = new AbortController();
  const held = keepLease({ extend, seconds: LEASE_SECONDS, stopping, reportFailure });
  try {
    return await erasePersonalData({ provenance, scheduler }, subject);
  } finally {
    held.release();
    await deleteLease(provenance, lease).catch(reportFailure);
  }
}

/** A digest, because an entity id can be personal data and a lease outlives a crash. */
function toName({ projectId, entityId }: ErasureSubject): string {
  return `erasure ${createHash('sha256').update(`${projectId} ${entityId}`).digest('hex')}`;
}
