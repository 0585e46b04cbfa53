/**
 * A pass: one step of handling a media file. A file has these passes, in this order:
 * - Before the thread: `receive` (receive and hash the file), `queue` (wait for a thread).
 * - In the thread, to read a file: `load` the file, `read` and check its manifest, `pictures` (extract the thumbnails),
 *   `tell` (interpret a large store).
 * - In the thread, to sign a file: `load` the file, `thumbnail` (make it), `ingredients` (add them), `sign` the file,
 *   `signature` (the part of `sign` that waits for the main thread), `save` and `verify` the copy, `tell` (interpret
 *   its manifest).
 * - In the thread, for a stored text: `find` its manifest.
 * - After the thread: `store` (store and hash the copy), `record` the copy.
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
