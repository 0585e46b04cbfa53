/** Which tables have grown since they were last analyzed. */
export interface TableGrowth {
  noteMessage(bytes: number): void;
  /** Whether the sizes are to be read again. */
  isLookDue(): boolean;
  /** Takes the rows of READ_SIZES. */
  noteSizes(values: readonly unknown[]): void;
  /** Whether the sizes are to be read or a table is to be analyzed. */
  isDue(): boolean;
  /** The next table to analyze. */
  takeNext(): string | undefined;
}

/** Looked at after so many messages, or bytes of them. */
const LOOK_AFTER = { messages: 200, bytes: 256 * 1024 };

/** The name of each table, and the class of its size in pages of 8 KiB. */
export const READ_SIZES = `select c.oid::regclass::text as name,
    width_bucket(pg_relation_size(c.oid) / 8192,
      '{2,4,8,16,32,64,128,256,512,1024,2048,4096,8192,16384}'::bigint[]) as class
  from pg_class c where c.relkind = 'r' and c.oid >= 16384`;

/**
 * PGlite has no autovacuum: without statistics the indexes of a small table cost the same, and a plan that took the
 * wrong one stays. So a table that has grown into another class of sizes is analyzed, which drops the plans that
 * read it.
 */
export function createTableGrowth(): TableGrowth {
  const classes = new Map<string, number>();
  const grown = new Set<string>();
  let sent = { messages: 0, bytes: 0 };
  const isLookDue = () => sent.messages >= LOOK_AFTER.messages || sent.bytes >= LOOK_AFTER.bytes;
  return {
    isLookDue,
    isDue: () => grown.size > 0 || isLookDue(),
    noteMessage(bytes) {
      sent.messages += 1;
      sent.bytes += bytes;
    },
    noteSizes(values) {
      sent = { messages: 0, bytes: 0 };
      for (let at = 0; at < values.length; at += 2) {
        const [name, size] = [values[at] as string, values[at + 1] as number];
        if (size > (classes.get(name) ?? 0)) grown.add(name);
        classes.set(name, size);
      }
    },
    takeNext() {
      const [next] = grown;
      if (next !== undefined) grown.delete(next);
      return next;
    },
  };
}
