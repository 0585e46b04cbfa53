/** Projects that have memory get at most this share. The rest is for projects without any. */
const SHARE_OF_HOLDERS = 2 / 3;

interface Need {
  projectId: string;
  memoryBytes: number;
}

/** The memory of all tasks, shared by projects. */
export interface MemoryShares {
  /** Whether the task fits. A task that needs more than the share of a project counts as the whole share. */
  fits(need: Need): boolean;
  /** Whether the task needs memory and its project has none. */
  isFirst(need: Need): boolean;
  take(need: Need): void;
  giveBack(need: Need): void;
  usedBytes(): number;
}

export function createMemoryShares(totalBytes: number): MemoryShares {
  const shareBytes = Math.floor(totalBytes * SHARE_OF_HOLDERS);
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
      return bytes === 0 || used + bytes <= (usedBy.has(need.projectId) ? shareBytes : totalBytes);
    },
    isFirst: ({ projectId, memoryBytes }) => memoryBytes > 0 && !usedBy.has(projectId),
    take: (need) => count(need.projectId, counted(need)),
    giveBack: (need) => count(need.projectId, -counted(need)),
    usedBytes: () => used,
  };
}
