import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { BlobStore } from '../blobs/blob-store.js';
import { openDirectoryStore } from '../blobs/directory/directory-store.js';
import { beginSnapshot, dumpRows, lockForReading } from '../platform/db/backup/dump-rows.js';
import { listTables, type TableShape } from '../platform/db/backup/tables.js';
import type { Database, Tx } from '../platform/db/database.js';
import { readApplied } from '../platform/db/migrate.js';
import { listStoredContents, listStoredTotals } from '../records/read/stored-contents.sql.js';
import { readStoredKeys, type StoredKeys, storeKeys } from '../transparency-log/signing-key.js';
import { copyContent } from './copy-content.js';
import { type BackupManifest, BYTES_FOLDER, MANIFEST_FILE, tableFile } from './manifest.js';

export interface BackupOptions {
  db: Database;
  blobs: BlobStore;
  /** Directory of the backup. It must not exist yet. */
  directory: string;
  /** If false, the bytes stay only in their store. */
  includesBytes: boolean;
  /** Directory with the signing key of the log, when the service created that key. */
  keyDirectory: string | undefined;
  madeBy: string;
  /** Receives the number of bytes to copy. The returned function receives the size of each copied part. */
  startProgress: (sizeBytes: number) => (sizeBytes: number) => void;
}

/** `digest` is the digest of the manifest, which contains the digests of all tables. */
export interface MadeBackup {
  digest: string;
  manifest: BackupManifest;
}

/**
 * Writes all records from one database snapshot, then the bytes of their contents. The service may record meanwhile,
 * because it stores bytes before their records and never replaces bytes.
 */
export async function writeBackup(options: BackupOptions): Promise<MadeBackup> {
  const { db, directory, keyDirectory } = options;
  if (await isThere(directory)) throw new Error(`${directory} already exists.`);
  const draft = `${directory}.partial`;
  if (await isThere(draft)) throw new Error(`${draft} remains from an interrupted backup: remove it first.`);
  await mkdir(path.join(draft, 'tables'), { recursive: true, mode: 0o700 });
  const readKeys = async () =>
    keyDirectory === undefined ? { key: undefined, next: undefined } : readStoredKeys(keyDirectory);
  const keysBefore = await readKeys();
  const known = await listTables(db);
  const { keys, ...state } = await db.transaction(async (tx) => {
    await beginSnapshot(tx);
    await lockForReading(tx, known);
    // The first query fixes the snapshot.
    const applied = {
      control: await readApplied(tx, 'control'),
      provenance: await readApplied(tx, 'provenance'),
    };
    const keys = joinKeys(keysBefore, await readKeys());
    const tables: BackupManifest['tables'] = [];
    for (const table of await listTables(tx))
      tables.push({ ...table, ...(await writeTable(tx, table, path.join(draft, tableFile(table.name)))) });
    return {
      keys,
      applied,
      tables,
      contents: await writeContents(tx, options, path.join(draft, BYTES_FOLDER)),
    };
  });
  await storeKeys(draft, keys);
  const hasLogKey = keys.key !== undefined;
  const manifest: BackupManifest = {
    ...{ format: 'colophon-backup', version: 1, madeBy: options.madeBy, hasLogKey },
    madeAt: new Date().toISOString(),
    ...state,
  };
  const text = `${JSON.stringify(manifest, null, 1)}\n`;
  await writeFile(path.join(draft, MANIFEST_FILE), text, { mode: 0o600, flush: true });
  await rename(draft, directory);
  return { digest: digestOf(text), manifest };
}

export function digestOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

async function isThere(directory: string): Promise<boolean> {
  return readdir(directory).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}

/** After a rotation between the two reads, returns both keys, because either can be the key in the snapshot. */
export function joinKeys(before: StoredKeys, after: StoredKeys): StoredKeys {
  const seeds = [before.key, before.next, after.key, after.next].filter((seed) => seed !== undefined);
  const [key, next, ...more] = new Set(seeds);
  if (more.length > 0)
    throw new Error('The key of the logs was rotated during the backup. Start the backup again.');
  return { key, next };
}

async function writeTable(
  tx: Tx,
  table: TableShape,
  file: string,
): Promise<{ rows: number; digest: string }> {
  let rows = 0;
  const hash = createHash('sha256');
  const lines = async function* () {
    for await (const page of dumpRows(tx, table)) {
      rows += page.length;
      yield `${page.join('\n')}\n`;
    }
  };
  const hashing = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const target = createWriteStream(file, { mode: 0o600, flush: true });
  await pipeline(Readable.from(lines()), createGzip(), hashing, target);
  if (!target.closed) await once(target, 'close');
  return { rows, digest: `sha256:${hash.digest('hex')}` };
}

const PAGE = 500;

async function writeContents(
  tx: Tx,
  { blobs, includesBytes, startProgress }: BackupOptions,
  folder: string,
): Promise<BackupManifest['contents']> {
  const totals = await listStoredTotals(tx);
  const written = { count: 0, sizeBytes: 0, missing: [] as BackupManifest['contents']['missing'] };
  const onProgress = startProgress(totals.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
  const to = includesBytes ? await openDirectoryStore(folder) : undefined;
  for (const { projectId } of totals) {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page = await listStoredContents(tx, projectId, { after, limit: PAGE });
      for (const { contentDigest, sizeBytes } of page) {
        const ref = { projectId, contentDigest };
        const isHere =
          to === undefined
            ? (await blobs.readSize(ref)) === sizeBytes
            : await copyContent({ from: blobs, to, onProgress }, ref);
        if (!isHere) written.missing.push(ref);
        written.count++;
        written.sizeBytes += sizeBytes;
      }
      after = page.length < PAGE ? undefined : page.at(-1)?.cid;
    }
  }
  return { included: includesBytes, ...written };
}
