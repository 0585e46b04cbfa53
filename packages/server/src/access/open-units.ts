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
  /** Whether another project or address has units, or had units in the last `withinMs` (default 0). */
  hasOthers(projectId: string, withinMs?: number): boolean;
}

interface Ended {
  projectId: string;
  atMs: number;
}

export function createOpenUnits(limit: number): OpenUnits {
  const open = new Map<string, number>();
  /**
   * `last`: the most recent call of `end`. `lastOther`: the most recent call of `end` for another project or address
   * than in `last`.
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
        if (last?.projectId !== projectId) lastOther = last;
        last = { projectId, atMs: performance.now() };
      };
      return { end };
    },
    isExceeded: (projectId) => (open.get(projectId) ?? 0) > limit,
    hasOthers(projectId, withinMs = 0) {
      if (open.size > (open.has(projectId) ? 1 : 0)) return true;
      const other = last?.projectId === projectId ? lastOther : last;
      return other !== undefined && performance.now() - other.atMs < withinMs;
    },
  };
}
