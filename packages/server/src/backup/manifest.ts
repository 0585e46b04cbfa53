import { z } from 'zod';

const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const change = z.object({ name: z.string(), checksum: z.string() });
/** A PostgreSQL name, or a schema and a table joined by a dot. A restore puts these names into SQL. */
const sqlName = z.string().regex(/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/);

/** Written last, so a backup without it is incomplete. */
export const manifestSchema = z.object({
  format: z.literal('colophon-backup'),
  version: z.literal(1),
  madeAt: z.string(),
  madeBy: z.string(),
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
    /** If false, the backup only checked that the store has the bytes. */
    included: z.boolean(),
    count: z.int().nonnegative(),
    sizeBytes: z.int().nonnegative(),
    /** Contents whose bytes the store did not have during the backup, although a record says that they are stored. */
    missing: z.array(z.object({ projectId: z.uuid(), contentDigest: digest })),
  }),
  /** A backup contains the signing key of the log only if the service created it. */
  hasLogKey: z.boolean(),
});

export type BackupManifest = z.output<typeof manifestSchema>;

export const tableFile = (name: string): string => `tables/${name}.ndjson.gz`;
export const MANIFEST_FILE = 'manifest.json';
export const BYTES_FOLDER = 'bytes';
