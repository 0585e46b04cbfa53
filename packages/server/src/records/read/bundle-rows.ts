import { type Queryable, untilAborted } from '../../platform/db/database.js';
import { createFairLimit } from '../../platform/work/limit-concurrency.js';
import { setNewest } from '../../platform/work/set-newest.js';
import {
  type BundleRow,
  type BundleRowQuery,
  type HistorySessionRow,
  readBundleRow,
  readBundleRows,
  readSessionRow,
  type SessionRowQuery,
} from './histories.sql.js';

/**
 * Reads short histories, several queued histories of a project with one statement. For a history that is too long,
 * `read` returns a row without lists, and remembers it for later reads.
 */
export interface BundleRows {
  read(
    projectId: string,
    options: BundleRowQuery & { cid: string },
    signal?: AbortSignal,
  ): Promise<BundleRow>;
  /** Returns undefined when the session is too long, or was at an earlier read. The caller then reads it in steps. */
  readSession(
    projectId: string,
    options: SessionRowQuery,
    signal?: AbortSignal,
  ): Promise<HistorySessionRow | undefined>;
}

/** Maximum number of histories in one statement. */
const TOGETHER = 4;
/** Maximum number of long histories to remember. */
const REMEMBERED = 1_000;

/** A history with too many links for one statement. With a larger depth or a smaller limit, it has too many as well. */
interface DenseHistory {
  depth: number;
  limit: number;
  row: BundleRow;
}

interface WaitingRead {
  cid: string;
  options: BundleRowQuery;
  signal: AbortSignal | undefined;
  resolve(row: BundleRow): void;
  reject(error: unknown): void;
}

interface ProjectQueue {
  running: number;
  waiting: WaitingRead[];
  /** Is 1 after a long history. Short histories increase it. */
  together: number;
}

/** `atOnce`: number of concurrent statements for one project. */
export function createBundleRows(db: Queryable, atOnce = 2): BundleRows {
  const lines = new Map<string, ProjectQueue>();
  const longHistories = createLongHistories();
  const longSessions = new Map<string, true>();
  const limitSessions = createFairLimit({ atOnce: Number.POSITIVE_INFINITY, atOnceOfOne: atOnce });

  async function work(projectId: string, line: ProjectQueue): Promise<void> {
    line.running++;
    for (let group = takeAlike(line); group.length > 0; group = takeAlike(line))
      await settle(projectId, line, group);
    line.running--;
    if (line.running === 0) lines.delete(projectId);
  }

  /** Reads one by one the histories that did not fit, or all of them after an error. */
  async function settle(projectId: string, line: ProjectQueue, group: readonly WaitingRead[]): Promise<void> {
    const rows = group.length === 1 ? [] : await readShorter(projectId, group).catch((): BundleRow[] => []);
    if (rows.length > 0) line.together = rows.every(isSettled) ? TOGETHER : 1;
    for (const [index, row] of rows.entries()) if (isSettled(row)) group[index]?.resolve(row);
    for (const [index, waiter] of group.entries())
      if (!isSettled(rows[index])) await settleAlone(projectId, line, waiter);
  }

  function readShorter(projectId: string, group: readonly WaitingRead[]): Promise<BundleRow[]> {
    const [first] = group;
    if (first === undefined) return Promise.resolve([]);
    const { limit, maxBytes } = first.options;
    const shorter = { limit: shareOf(limit), maxBytes: Math.ceil(maxBytes / TOGETHER) };
    const cids = group.map(({ cid }) => cid);
    return readBundleRows(untilAborted(db, allOf(group)), projectId, { ...first.options, ...shorter, cids });
  }

  async function settleAlone(
    projectId: string,
    line: ProjectQueue,
    { cid, options, signal, resolve, reject }: WaitingRead,
  ): Promise<void> {
    try {
      const row = await readBundleRow(untilAborted(db, signal), projectId, { ...options, cid });
      const isShort = isSettled(row) && row.count <= shareOf(options.limit);
      line.together = isShort ? Math.min(TOGETHER, 2 * line.together) : 1;
      if (!isSettled(row)) longHistories.add(projectId, { ...options, cid }, row);
      resolve(row);
    } catch (error) {
      reject(error);
    }
  }

  return {
    read(projectId, { cid, ...options }, signal) {
      const known = longHistories.find(projectId, { ...options, cid });
      if (known !== undefined) return Promise.resolve(known);
      return new Promise((resolve, reject) => {
        const line = lines.get(projectId) ?? { running: 0, waiting: [], together: TOGETHER };
        lines.set(projectId, line);
        line.waiting.push({ cid, options, signal, resolve, reject });
        if (line.running < atOnce) void work(projectId, line);
      });
    },
    async readSession(projectId, options, signal) {
      const name = JSON.stringify([projectId, options]);
      if (longSessions.has(name)) return undefined;
      const readRow = () => readSessionRow(untilAborted(db, signal), projectId, options);
      const row = await limitSessions(projectId, readRow, signal);
      if (row?.fits) return row;
      setNewest(longSessions, name, true, REMEMBERED);
      return undefined;
    },
  };
}

type NamedRead = BundleRowQuery & { cid: string };

/** Keeps the rows, because a history seldom becomes shorter. */
function createLongHistories() {
  const tooLong = new Map<string, BundleRow>();
  const tooDense = new Map<string, DenseHistory>();
  return {
    add(projectId: string, options: NamedRead, row: BundleRow): void {
      setNewest(tooLong, nameOf(projectId, options), row, REMEMBERED);
      if (!row.isCut) return;
      const name = nameOf(projectId, withoutBounds(options));
      const { depth = Number.POSITIVE_INFINITY, limit } = options;
      const known = tooDense.get(name);
      // Replaces the known bounds only if the new bounds apply to at least the same reads.
      const isWider = known === undefined || (depth <= known.depth && limit >= known.limit);
      if (isWider) setNewest(tooDense, name, { depth, limit, row }, REMEMBERED);
    },
    find(projectId: string, options: NamedRead): BundleRow | undefined {
      const known = tooLong.get(nameOf(projectId, options));
      if (known !== undefined) return known;
      const dense = tooDense.get(nameOf(projectId, withoutBounds(options)));
      const { depth = Number.POSITIVE_INFINITY, limit } = options;
      return dense !== undefined && depth >= dense.depth && limit <= dense.limit ? dense.row : undefined;
    },
  };
}

function nameOf(projectId: string, { cid, direction, depth, limit, maxBytes }: NamedRead) {
  return JSON.stringify([projectId, cid, direction, depth, limit, maxBytes]);
}

const withoutBounds = (options: NamedRead): NamedRead => ({ ...options, depth: undefined, limit: 0 });

const shareOf = (limit: number) => Math.ceil(limit / TOGETHER);

const isSettled = (row: BundleRow | undefined) => row !== undefined && (row.fits || !row.known);

/** Takes waiting reads with the same options from the queue. Removes and rejects aborted reads too. */
function takeAlike(line: ProjectQueue): WaitingRead[] {
  const wanted = line.waiting.filter(({ signal, reject }) => {
    if (signal?.aborted) reject(signal.reason);
    return !signal?.aborted;
  });
  const [first] = wanted;
  const isAlike = ({ options }: WaitingRead) =>
    first !== undefined &&
    (Object.keys(options) as (keyof BundleRowQuery)[]).every((key) => options[key] === first.options[key]);
  const group = wanted.filter(isAlike).slice(0, line.together);
  line.waiting = wanted.filter((waiter) => !group.includes(waiter));
  return group;
}

function allOf(group: readonly WaitingRead[]): AbortSignal {
  const ended = new AbortController();
  let left = group.length;
  for (const { signal } of group)
    signal?.addEventListener('abort', () => {
      left--;
      if (left === 0) ended.abort(signal.reason);
    });
  return ended.signal;
}
