import { ServiceError } from '../errors.js';
import type { Database, Queryable } from '../platform/db/database.js';
import { addToCount } from '../platform/work/add-to-count.js';
import { readLogSize } from '../transparency-log/log.sql.js';
import { readUsageTotals, type UsageTotals } from './usage.sql.js';
import type { UsageMeter } from './usage-meter.js';

/** The usage of projects so far, to compare with their limits. */
export interface ProjectTotals {
  /** The counts of other nodes are some seconds old, or older during an outage of the database. */
  read(projectId: string): Promise<UsageTotals>;
  /** Reserves bytes on this node until the returned function is called. Undefined if `limit` would be exceeded. */
  reserve(
    projectId: string,
    upload: { bytes: number; used: number; limit: number },
  ): (() => void) | undefined;
  /** Adds counts that the database does not have yet. */
  add(projectId: string, used: UsageTotals): void;
  /** Writes the counts of this node, at most once a second. */
  write(): Promise<void>;
  /** Counts the leaves of the log: entities, actions, attributions and the service's own statements. */
  countRecords(projectId: string): Promise<number>;
}

const FRESH_MS = 5_000;
const WRITE_MS = 1_000;
const MAX_KNOWN = 10_000;

interface Known {
  written: UsageTotals;
  /** Counts of this node that `written` does not include. */
  added: UsageTotals;
  readAtMs: number;
  reading: Promise<void> | undefined;
}

const none = (): UsageTotals => ({ requestsThisMonth: 0, storedBytes: 0 });

/** Keeps totals only for projects whose totals were read, so a project without limits needs no memory. */
export function createProjectTotals(
  { control, provenance }: { control: Database; provenance: Queryable },
  meter: Pick<UsageMeter, 'flush' | 'flushAndRead'>,
): ProjectTotals {
  const known = new Map<string, Known>();
  const reserved = new Map<string, number>();
  let writing = { sinceMs: Number.NEGATIVE_INFINITY, isRunning: false, done: Promise.resolve() };

  function knownOf(projectId: string): Known {
    const before = known.get(projectId);
    if (before !== undefined) return before;
    if (known.size >= MAX_KNOWN) known.clear();
    const fresh = { written: none(), added: none(), readAtMs: Number.NEGATIVE_INFINITY, reading: undefined };
    known.set(projectId, fresh);
    return fresh;
  }

  async function refresh(projectId: string, project: Known): Promise<void> {
    let taken = none();
    const onTaken = () => {
      taken = project.added;
      project.added = none();
    };
    const read = async (isWritten: boolean) => {
      const written = await readUsageTotals(control, projectId, new Date());
      if (isWritten) taken = none();
      return written;
    };
    try {
      project.written = await meter.flushAndRead({ onTaken, read });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'Unavailable') throw error;
    } finally {
      // After a failed write, the counts stay in the sum.
      project.added = sum(taken, project.added);
      project.readAtMs = performance.now();
      project.reading = undefined;
    }
  }

  return {
    async read(projectId) {
      const project = knownOf(projectId);
      if (performance.now() - project.readAtMs >= FRESH_MS) project.reading ??= refresh(projectId, project);
      await project.reading;
      return sum(project.written, project.added);
    },
    reserve(projectId, { bytes, used, limit }) {
      const before = reserved.get(projectId) ?? 0;
      if (used + before + bytes > limit) return undefined;
      reserved.set(projectId, before + bytes);
      return () => addToCount(reserved, projectId, -bytes);
    },
    add(projectId, used) {
      const project = known.get(projectId);
      if (project !== undefined) project.added = sum(project.added, used);
    },
    write() {
      const nowMs = performance.now();
      if (writing.isRunning || nowMs - writing.sinceMs < WRITE_MS) return writing.done;
      const next = { sinceMs: nowMs, isRunning: true, done: Promise.resolve() };
      next.done = meter.flush().finally(() => {
        next.isRunning = false;
      });
      writing = next;
      return next.done;
    },
    countRecords: (projectId) => readLogSize(provenance, projectId),
  };
}

function sum(one: UsageTotals, other: UsageTotals): UsageTotals {
  return {
    requestsThisMonth: one.requestsThisMonth + other.requestsThisMonth,
    storedBytes: one.storedBytes + other.storedBytes,
  };
}
