/**
 * One step of handling a media file. `queue`: wait for a thread. `pictures`: extract the thumbnails. `tell`: interpret
 * a manifest store. `signature`: the part of `sign` that waits for the main thread. `store`: store and hash the copy.
 */
export type MediaPass =
  | 'receive'
  | 'queue'
  | 'load'
  | 'read'
  | 'pictures'
  | 'tell'
  | 'find'
  | 'thumbnail'
  | 'ingredients'
  | 'sign'
  | 'signature'
  | 'verify'
  | 'save'
  | 'store'
  | 'record';

interface PassSum {
  count: number;
  ms: number;
}

/** Passes may overlap. */
export type PassSums = ReadonlyMap<MediaPass, PassSum>;

export interface PassTimes {
  readonly sums: PassSums;
  /** Adds the time even when the pass fails. */
  time<T>(pass: MediaPass, work: () => T | Promise<T>): Promise<T>;
  /** Adds sums, for example those of another thread. */
  add(sums: PassSums): void;
}

export function createPassTimes(): PassTimes {
  const sums = new Map<MediaPass, PassSum>();
  const addOne = (pass: MediaPass, { count, ms }: PassSum): void => {
    const before = sums.get(pass) ?? { count: 0, ms: 0 };
    sums.set(pass, { count: before.count + count, ms: before.ms + ms });
  };
  return {
    sums,
    async time(pass, work) {
      const startedMs = performance.now();
      try {
        return await work();
      } finally {
        addOne(pass, { count: 1, ms: performance.now() - startedMs });
      }
    },
    add(others) {
      for (const [pass, sum] of others) addOne(pass, sum);
    },
  };
}
