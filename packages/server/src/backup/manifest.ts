import { z } from 'zod';

const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const change = z.object({ name: z.string(), checksum: z.string() });
/** A name as PostgreSQL quotes it, or two names with a dot. */
const sqlName = z.string().regex(/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/);

/** The contents of a backup. It is written last: a backup without it is incomplete. */
export const manifestSchema = z.object({
  format: z.literal('colophon-backup'),
  version: z.literal(1),
  madeAt: z.string(),
  madeBy: z.string(),
  /** The schema changes that were applied to the database. */
  applied: z.object({ control: z.array(change), provenance: z.array(change) }),
  tables: z.array(
    z.object({
      layer: z.enum(['control', 'provenance']),
      name: sqlName,
      columns: z.array(z.object({ name: sqlName, type: z.string().regex(/^[a-z][a-z0-9 (),]*(\[\])?$/) })),
      rows: z.int().nonnegative(),
      digest,
    }),
  ),
  contents: z.object({
    /** False: the bytes stay in their store, and the backup only checked that they exist. */
    included: z.boolean(),
    count: z.int().nonnegative(),
    sizeBytes: z.int().nonnegative(),
    /** Contents that were missing when the backup was made, although their records say that they are stored. */
    missing: z.array(z.object({ projectId: z.uuid(), contentDigest: digest })),
  }),
  /** The backup holds the log's key, which the service created itself. */
  hasLogKey: z.boolean(),
});

export type BackupManifest = z.output<typeof manifestSchema>;

/** A table's file within a backup. */
export const tableFile = (name: string): string => `tables/${name}.ndjson.gz`;
export const MANIFEST_FILE = 'manifest.json';
export const BYTES_FOLDER = 'bytes';
export const LOG_KEY_FILE = 'log-signing-key';
