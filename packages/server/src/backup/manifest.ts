import { z } from 'zod';

const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const change = z.object({ name: z.string(), checksum: z.string() });
/** As PostgreSQL quotes a name, or two with a dot. */
const sqlName = z.string().regex(/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/);

/** The contents of a backup. It is written last: a backup without it is incomplete. */
export const manifestSchema = z.object({
  format: z.literal('colophon-backup'),
  version: z.literal(1),
  madeAt: z.string(),
  madeBy: z.string(),
  /** The schema changes that the database went through. */
  applied: z.object({ control: z.array(change), provenance: z.array(change) }),
  tables: z.array(
    z.object({
      layer: z.enum(['control', 'provenance']),
      name: sqlName,
      columns: z.array(z.object({ name: sqlName, type: z.string().regex(/^[a-z][a-z0-9 (),]*(\[\])?$/) })),
      rows: z.int().nonnegative(),
      /** Of the file. */
      digest,
    }),
  ),
  contents: z.object({
    /** False: they stay in their store, and are only looked for there. */
    included: z.boolean(),
    count: z.int().nonnegative(),
    sizeBytes: z.int().nonnegative(),
    /** Recorded as stored, and not there any more when the backup was made. */
    missing: z.array(z.object({ projectId: z.uuid(), contentDigest: digest })),
  }),
  /** The key of the log, which the service made itself, lies beside. */
  hasLogKey: z.boolean(),
});

export type BackupManifest = z.output<typeof manifestSchema>;

/** A table's file within a backup. */
export const tableFile = (name: string): string => `tables/${name}.ndjson.gz`;
export const MANIFEST_FILE = 'manifest.json';
export const BYTES_FOLDER = 'bytes';
export const LOG_KEY_FILE = 'log-signing-key';
