/**
 * Counts units in progress in this process, by project or client address: uploads, requests, connections, or bytes of
 * bodies and responses.
 */
export interface OpenUnits {
  /** Default maximum number of units of one project or address at a time. */
  limit: number;
  /**
   * Adds `units` (default 1) to the count of the project or address until `end` is called. If the sum would be above
   * `own` (default `limit`), adds nothing and returns undefined.
   */
  begin(projectId: string, own?: number, units?: number): { end(): void } | undefined;
  /** Whether the project or address has more units than `limit`. This can happen if `own` is greater than `limit`. */
  isExceeded(projectId: string): boolean;
  /**
   * Whether a project of another owner, or another address, has units, or had units in the last `withinMs` (default 0).
   */
  hasOthers(projectId: string, withinMs?: number): boolean;
}

interface Ended {
  owner: string;
  atMs: number;
}

/** `ownerOf`: the owner of a project. By default, each project or address is its own owner. */
export function createOpenUnits(limit: number, ownerOf = (projectId: string) => projectId): OpenUnits {
  const open = new Map<string, number>();
  /**
   * `last`: the most recent call of `end`. `lastOther`: the most recent call of `end` for another owner than in `last`.
   */
  let last: Ended | undefined;
  let lastOther: Ended | undefined;
  const add = (projectId: string, change: number) => {
    const count = (open.get(projectId) ?? 0) + change;
    if (count === 0) open.delete(projectId);
    else open.set(projectId, count);
  };
  return {
    limit,
    begin(projectId, own = limit, units = 1) {
      if ((open.get(projectId) ?? 0) + units > own) return undefined;
      add(projectId, units);
      let isOpen = true;
      const end = () => {
        if (!isOpen) return;
        isOpen = false;
        add(projectId, -units);
        const owner = ownerOf(projectId);
        if (last?.owner !== owner) lastOther = last;
        last = { owner, atMs: performance.now() };
      };
      return { end };
    },
    isExceeded: (projectId) => (open.get(projectId) ?? 0) > limit,
    hasOthers(projectId, withinMs = 0) {
      const owner = ownerOf(projectId);
      for (const one of open.keys()) if (ownerOf(one) !== owner) return true;
      const other = last?.owner === owner ? lastOther : last;
      return other !== undefined && performance.now() - other.atMs < withinMs;
    },
  };
}
