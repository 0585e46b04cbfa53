/**
 * A pass: one step of handling a media file. Before the thread: `receive` and hash the file, and wait for a thread
 * (`queue`). In the thread, to read: `load` the file, `read` and check its manifest, extract the thumbnails
 * (`pictures`), and interpret a large store (`tell`). In the thread, to sign: `load` the file, make its `thumbnail`,
 * add its `ingredients`, `sign` it (`signature`: its wait for the main thread), `save` and `verify` the copy, and
 * interpret its manifest (`tell`). In the thread, for a stored text: `find` its manifest. After the thread: `store` and
 * hash the copy, and `record` it.
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
