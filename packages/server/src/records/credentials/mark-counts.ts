import type { MarkLayer } from '@colophon/model';

/** Counts the layers of the marks of this process, by kind and state. */
export interface MarkCounts {
  add(layers: readonly MarkLayer[]): void;
  read(): { kind: string; state: string; count: number }[];
}

export function createMarkCounts(): MarkCounts {
  const counts = new Map<string, { kind: string; state: string; count: number }>();
  return {
    add(layers) {
      for (const { kind, state } of layers) {
        const name = `${kind} ${state}`;
        counts.set(name, { kind, state, count: (counts.get(name)?.count ?? 0) + 1 });
      }
    },
    read: () => [...counts.values()],
  };
}
