import { type Queryable, untilAborted } from '../../platform/db/database.js';
import { type BundleRow, type BundleRowQuery, readBundleRow, readBundleRows } from './histories.sql.js';

/**
 * Reads short histories. Queued histories of a project go together, in one statement. A history that was too long
 * earlier is not tried again.
 */
export interface BundleRows {
  read(
    projectId: string,
    options: BundleRowQuery & { cid: string },
    signal?: AbortSignal,
  ): Promise<BundleRow>;
}

/** The most histories in one statement. */
const TOGETHER = 4;
/** Number of long histories to remember. Embedded, the statement that finds a history too long takes 20 ms. */
const REMEMBERED = 1_000;

interface WaitingRead {
  cid: string;
  options: BundleRowQuery;
  signal: AbortSignal | undefined;
  resolve(row: BundleRow): void;
  reject(error: unknown): void;
}

/** The queued reads of a project's histories. */
interface ProjectQueue {
  running: number;
  waiting: WaitingRead[];
  /** Number of histories in the next statement: one after a long history, then twice as many after each short one. */
  together: number;
}

/** `atOnce`: statements of one project at a time. */
export function createBundleRows(db: Queryable, atOnce = 2): BundleRows {
  const lines = new Map<string, ProjectQueue>();
  /**
   * Rows, without text, of histories that are too long for one statement, oldest first. Histories seldom become
   * shorter.
   */
  const tooLong = new Map<string, BundleRow>();

  function noteLong(projectId: string, options: BundleRowQuery & { cid: string }, row: BundleRow): void {
    if (isSettled(row)) return;
    tooLong.set(nameOf(projectId, options), row);
    const [oldest = ''] = tooLong.keys();
    if (tooLong.size > REMEMBERED) tooLong.delete(oldest);
  }

  async function work(projectId: string, line: ProjectQueue): Promise<void> {
    line.running++;
    for (let group = takeAlike(line); group.length > 0; group = takeAlike(line))
      await settle(projectId, line, group);
    line.running--;
    if (line.running === 0) lines.delete(projectId);
  }

  /**
   * Reads a group within the limits of one history. Longer histories, or all after a failure, are read one by one.
   */
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
      noteLong(projectId, { ...options, cid }, row);
      resolve(row);
    } catch (error) {
      reject(error);
    }
  }

  return {
    read(projectId, { cid, ...options }, signal) {
      const known = tooLong.get(nameOf(projectId, { ...options, cid }));
      if (known !== undefined) return Promise.resolve(known);
      return new Promise((resolve, reject) => {
        const line = lines.get(projectId) ?? { running: 0, waiting: [], together: TOGETHER };
        lines.set(projectId, line);
        line.waiting.push({ cid, options, signal, resolve, reject });
        if (line.running < atOnce) void work(projectId, line);
      });
    },
  };
}

function nameOf(
  projectId: string,
  { cid, direction, depth, limit, maxBytes }: BundleRowQuery & { cid: string },
) {
  return JSON.stringify([projectId, cid, direction, depth, limit, maxBytes]);
}

/** Returns the limit of actions for one history of a group. */
const shareOf = (limit: number) => Math.ceil(limit / TOGETHER);

const isSettled = (row: BundleRow | undefined) => row !== undefined && (row.fits || !row.known);

/** Takes the first read with a waiting caller, and others with the same options. */
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

/** Returns a signal that aborts when no caller of the group waits any more. */
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
