/**
 * The steps of handling a media file. First: `receive` it with hashing, wait for a thread (`queue`). In the thread:
 * `load` it, `read` and check its manifest, extract the `pictures`, and interpret a large store (`tell`); or make
 * its `thumbnail`, add its `ingredients`, `sign` (of which `signature` is the wait for the main thread), `verify`
 * and `save` the copy. Last: `store` the copy with hashing, and `record` it.
 */
export type MediaPass =
  | 'receive'
  | 'queue'
  | 'load'
  | 'read'
  | 'pictures'
  | 'tell'
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

/** The count and the total wall time of each pass. Passes may overlap. */
export type PassSums = ReadonlyMap<MediaPass, PassSum>;

export interface PassTimes {
  readonly sums: PassSums;
  /** Runs a pass and adds its time, even when it fails. */
  time<T>(pass: MediaPass, work: () => T | Promise<T>): Promise<T>;
  /** Adds the sums of another thread. */
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
