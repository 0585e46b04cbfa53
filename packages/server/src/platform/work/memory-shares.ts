import { addToCount } from './add-to-count.js';

/** An owner who already uses memory gets more only if all owners together then use at most this share of the total. */
const SHARE_OF_HOLDERS = 2 / 3;

interface Need {
  owner: string;
  memoryBytes: number;
}

/** Divides the memory of all tasks among the owners of projects. */
export interface MemoryShares {
  /** Whether the task would fit if the tasks in `freed` ended. A task counts as at most two thirds of the total. */
  fits(need: Need, freed?: readonly Need[]): boolean;
  /** Whether the task needs memory, and the projects of its owner use none. */
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
  const sum = (needs: readonly Need[]) => needs.reduce((all, need) => all + counted(need), 0);
  const count = ({ owner }: Need, bytes: number) => {
    used += bytes;
    addToCount(usedBy, owner, bytes);
  };
  return {
    fits(need, freed = []) {
      const bytes = counted(need);
      if (bytes === 0) return true;
      const own = freed.filter(({ owner }) => owner === need.owner);
      const isHolder = (usedBy.get(need.owner) ?? 0) > sum(own);
      return used - sum(freed) + bytes <= (isHolder ? shareBytes : totalBytes);
    },
    isFirst: ({ owner, memoryBytes }) => memoryBytes > 0 && !usedBy.has(owner),
    take: (need) => count(need, counted(need)),
    giveBack: (need) => count(need, -counted(need)),
    usedBytes: () => used,
  };
}
