import { addToCount } from '../platform/work/add-to-count.js';

/** Counts units in progress, such as uploads or bytes, by project or client address, in this process. */
export interface OpenUnits {
  /** Default maximum for one project or address. */
  limit: number;
  /** Counts `units` (default 1) until `end`. Undefined if the sum would be above `own` (default `limit`). */
  begin(projectId: string, own?: number, units?: number): { end(): void } | undefined;
  /** Whether the project or address has more units than `limit`, because a greater `own` allowed them. */
  isExceeded(projectId: string): boolean;
  /** Whether another project or address has units, or had units in the last `withinMs` (default 0). */
  hasOthers(projectId: string, withinMs?: number): boolean;
  /** Whether a project of another owner has units, or had units in the last `withinMs` (default 0). */
  hasOtherOwners(projectId: string, withinMs?: number): boolean;
}

/** By default, each project or address is its own owner. */
export function createOpenUnits(limit: number, ownerOf = (projectId: string) => projectId): OpenUnits {
  const [open, openOwners] = [new Map<string, number>(), new Map<string, number>()];
  const [endsOfProjects, endsOfOwners] = [createEnds(), createEnds()];
  return {
    limit,
    begin(projectId, own = limit, units = 1) {
      if ((open.get(projectId) ?? 0) + units > own) return undefined;
      // The result of `ownerOf` can change before `end`.
      const owner = ownerOf(projectId);
      addToCount(open, projectId, units);
      addToCount(openOwners, owner, units);
      let isOpen = true;
      const end = () => {
        if (!isOpen) return;
        isOpen = false;
        addToCount(open, projectId, -units);
        addToCount(openOwners, owner, -units);
        endsOfProjects.note(projectId);
        endsOfOwners.note(owner);
      };
      return { end };
    },
    isExceeded: (projectId) => (open.get(projectId) ?? 0) > limit,
    hasOthers: (projectId, withinMs = 0) =>
      hasOther(open, projectId) || endsOfProjects.hasOther(projectId, withinMs),
    hasOtherOwners(projectId, withinMs = 0) {
      const owner = ownerOf(projectId);
      return hasOther(openOwners, owner) || endsOfOwners.hasOther(owner, withinMs);
    },
  };
}

const hasOther = (counts: ReadonlyMap<string, number>, id: string) => counts.size > (counts.has(id) ? 1 : 0);

interface Ended {
  id: string;
  atMs: number;
}

/** Keeps the last end of a unit, and the last end of a unit of another project or owner. */
function createEnds() {
  let last: Ended | undefined;
  let lastOther: Ended | undefined;
  return {
    note(id: string): void {
      if (last?.id !== id) lastOther = last;
      last = { id, atMs: performance.now() };
    },
    hasOther(id: string, withinMs: number): boolean {
      const other = last?.id === id ? lastOther : last;
      return other !== undefined && performance.now() - other.atMs < withinMs;
    },
  };
}
