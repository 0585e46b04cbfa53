import { lengthOf } from '../../platform/json-text.js';
import { whenAborted } from '../../platform/sleep-until.js';
import { createSharedTasks } from '../../platform/work/shared-tasks.js';
import type { Answer } from '../read/answer-cache.js';

type BriefAnswer = Answer | undefined;

/** `owner`: a project, or another name that gets a share of the cache. */
export interface BriefName {
  owner: string;
  name: string;
}

/** Concurrent calls with the same name share one `look`. The cache drops its result when `ending` aborts. */
export type BriefCache = (
  of: BriefName,
  look: () => Promise<BriefAnswer>,
  ending?: AbortSignal,
) => Promise<BriefAnswer>;

interface BriefEntry {
  until: number;
  found: Promise<BriefAnswer>;
  bytes: number;
}

/** Oldest first. */
interface BriefEntries {
  byName: Map<string, BriefEntry>;
  bytes: number;
}

/** The share of the cache that one owner may fill. */
const SHARE = 1 / 4;

/** `forMs`: lifetime of a result. `entries` and `bytes`: limits of all results together. Errors are not cached. */
export function createBriefCache(
  { forMs, entries, bytes }: { forMs: number; entries: number; bytes: number },
  now: () => number = Date.now,
): BriefCache {
  const owners = new Map<string, BriefEntries>();
  let held: Pick<BriefEntries, 'bytes'> & { entries: number } = { entries: 0, bytes: 0 };

  const grow = (owned: BriefEntries, change: { entries: number; bytes: number }) => {
    owned.bytes += change.bytes;
    held = { entries: held.entries + change.entries, bytes: held.bytes + change.bytes };
  };

  function forget({ owner, name }: BriefName, entry: BriefEntry): void {
    const owned = owners.get(owner);
    if (owned?.byName.get(name) !== entry) return;
    owned.byName.delete(name);
    grow(owned, { entries: -1, bytes: -entry.bytes });
    if (owned.byName.size === 0) owners.delete(owner);
  }

  /** Drops the oldest results while they have expired or `isTooMuch` returns true. */
  function trim(owner: string, isTooMuch: (owned: BriefEntries) => boolean): void {
    const owned = owners.get(owner);
    if (owned === undefined) return;
    for (const [name, entry] of owned.byName) {
      if (entry.until > now() && !isTooMuch(owned)) return;
      forget({ owner, name }, entry);
    }
  }

  function makeRoom(owner: string): void {
    const isShareFull = (owned: BriefEntries) =>
      owned.byName.size > entries * SHARE || owned.bytes > bytes * SHARE;
    const isFull = () => held.entries > entries || held.bytes > bytes;
    trim(owner, isShareFull);
    // The owner that has added no result for the longest time comes first.
    for (const other of isFull() ? [...owners.keys()] : []) trim(other, isFull);
  }

  function add({ owner, name }: BriefName, entry: BriefEntry): void {
    const owned = owners.get(owner) ?? { byName: new Map(), bytes: 0 };
    owned.byName.set(name, entry);
    grow(owned, { entries: 1, bytes: 0 });
    owners.delete(owner); // the next line moves the owner to the end
    owners.set(owner, owned);
    makeRoom(owner);
  }

  return (of, look, ending) => {
    const known = owners.get(of.owner)?.byName.get(of.name);
    if (known !== undefined && known.until > now()) return known.found;
    if (known !== undefined) forget(of, known);
    const entry: BriefEntry = { until: now() + forMs, found: look(), bytes: 0 };
    add(of, entry);
    ending?.addEventListener('abort', () => forget(of, entry), { once: true });
    entry.found.then(
      (answer) => {
        const owned = owners.get(of.owner);
        if (answer === undefined || owned?.byName.get(of.name) !== entry) return;
        entry.bytes = lengthOf(answer.body);
        grow(owned, { entries: 0, bytes: entry.bytes });
        makeRoom(of.owner);
      },
      () => forget(of, entry),
    );
    return entry.found;
  };
}

/** `allGone` aborts when all readers of a result have disconnected. The next reader then starts another attempt. */
export type SharedRead = (
  of: BriefName,
  signal: AbortSignal,
  look: (allGone: AbortSignal) => Promise<BriefAnswer>,
) => Promise<BriefAnswer>;

export function createSharedRead(limits: Parameters<typeof createBriefCache>[0]): SharedRead {
  const remember = createBriefCache(limits);
  const join = createSharedTasks<BriefAnswer>();
  return (of, signal, look) =>
    join(JSON.stringify([of.owner, of.name]), signal, (allGone) =>
      remember(of, () => Promise.race([look(allGone), whenAborted(allGone)]), allGone),
    );
}
