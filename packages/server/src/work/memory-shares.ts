/** One project has at most this part of the memory, so that there is always room for the tasks of others. */
const SHARE_OF_PROJECT = 2 / 3;

interface Need {
  projectId: string;
  memoryBytes: number;
}

/** The memory that tasks may take together, shared by projects. */
export interface MemoryShares {
  /** Whether there is room; a task that needs more than the share of its project counts as the whole share. */
  fits(need: Need): boolean;
  take(need: Need): void;
  giveBack(need: Need): void;
  usedBytes(): number;
}

export function createMemoryShares(totalBytes: number): MemoryShares {
  const shareBytes = Math.floor(totalBytes * SHARE_OF_PROJECT);
  const usedBy = new Map<string, number>();
  let used = 0;
  const counted = ({ memoryBytes }: Need) => Math.min(memoryBytes, shareBytes);
  const count = (projectId: string, bytes: number) => {
    used += bytes;
    const left = (usedBy.get(projectId) ?? 0) + bytes;
    if (left > 0) usedBy.set(projectId, left);
    else usedBy.delete(projectId);
  };
  return {
    fits(need) {
      const bytes = counted(need);
      return used + bytes <= totalBytes && (usedBy.get(need.projectId) ?? 0) + bytes <= shareBytes;
    },
    take: (need) => count(need.projectId, counted(need)),
    giveBack: (need) => count(need.projectId, -counted(need)),
    usedBytes: () => used,
  };
}
