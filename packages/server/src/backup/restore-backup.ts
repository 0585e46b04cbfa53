import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import type { BlobStore } from '../blobs/blob-store.js';
import { openDirectoryStore } from '../blobs/directory/directory-store.js';
import { loadRows, makeTables, migrateLoaded } from '../platform/db/backup/load-rows.js';
import type { Database, Queryable, Tx } from '../platform/db/database.js';
import { makeDirectory } from '../platform/files/make-directory.js';
import { listStoredContents, listStoredTotals } from '../records/read/stored-contents.sql.js';
import { readStoredKeys, type StoredKeys, storeKeys } from '../transparency-log/signing-key.js';
import { copyContent } from './copy-content.js';
import { type BackupManifest, BYTES_FOLDER, MANIFEST_FILE, manifestSchema, tableFile } from './manifest.js';
import { digestOf, type MadeBackup } from './write-backup.js';

export interface RestoreOptions {
  db: Database;
  blobs: BlobStore;
  directory: string;
  /** Directory for the signing key of the log; undefined when the operator configures the key. */
  keyDirectory: string | undefined;
  startProgress: (sizeBytes: number) => (sizeBytes: number) => void;
}

/** Reads the manifest of a backup, and checks the digest of each table's file. */
export async function openBackup(directory: string): Promise<MadeBackup> {
  const text = await readFile(path.join(directory, MANIFEST_FILE), 'utf8').catch((cause: unknown) => {
    throw new Error(`${directory} does not contain a complete backup: ${MANIFEST_FILE} cannot be read.`, {
      cause,
    });
  });
  const manifest = manifestSchema.parse(JSON.parse(text));
  for (const { name, digest } of manifest.tables) {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(path.join(directory, tableFile(name)))) hash.update(chunk);
    if (`sha256:${hash.digest('hex')}` !== digest)
      throw new Error(
        `${tableFile(name)} does not match its digest in ${MANIFEST_FILE}. Use another backup.`,
      );
  }
  return { digest: digestOf(text), manifest };
}

/**
 * Restores bytes and key first, and then all records in one transaction, so that the database stays empty after an
 * error. Rejects if `keyDirectory` contains a different key of the log.
 */
export async function restoreBackup(
  { db, blobs, directory, keyDirectory, startProgress }: RestoreOptions,
  { manifest }: MadeBackup,
): Promise<void> {
  const keys = manifest.hasLogKey ? await readStoredKeys(directory) : undefined;
  if (keys !== undefined && keys.key === undefined)
    throw new Error(`log-signing-key is missing from ${directory}. Use another backup.`);
  if (keys !== undefined && keyDirectory !== undefined) await assertNoOtherKey(keyDirectory, keys);
  if (manifest.contents.included) {
    const from = await openDirectoryStore(path.join(directory, BYTES_FOLDER));
    const onProgress = startProgress(manifest.contents.sizeBytes);
    for await (const ref of from.listContents()) await copyContent({ from, to: blobs, onProgress }, ref);
  }
  if (keys !== undefined && keyDirectory !== undefined) {
    await makeDirectory(keyDirectory);
    await storeKeys(keyDirectory, keys);
  }
  await db.transaction(async (tx) => {
    await tx.exec('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
    await makeTables(tx, manifest.applied, manifest.tables);
    for (const table of manifest.tables)
      await loadTable(tx, table, path.join(directory, tableFile(table.name)));
    await migrateLoaded(tx, db.engine);
    await assertStored(tx, blobs, manifest.contents.missing);
  });
}

async function assertNoOtherKey(keyDirectory: string, keys: StoredKeys): Promise<void> {
  const { key, next } = await readStoredKeys(keyDirectory);
  if ((key ?? keys.key) === keys.key && (next ?? keys.next) === keys.next) return;
  throw new Error(
    `${keyDirectory} has another key of the log. Other logs may need it: restore into another DATA_DIR, or move ` +
      'log-signing-key and log-signing-key.next away.',
  );
}

const ROWS = 200;
const CHARACTERS = 4_000_000;

async function loadTable(tx: Tx, table: BackupManifest['tables'][number], file: string): Promise<void> {
  let count = 0;
  let page: string[] = [];
  let characters = 0;
  const flush = async () => {
    if (page.length > 0) await loadRows(tx, table, page);
    count += page.length;
    [page, characters] = [[], 0];
  };
  const lines = createInterface({ input: createReadStream(file).pipe(createGunzip()) });
  for await (const line of lines) {
    page.push(line);
    characters += line.length;
    if (page.length === ROWS || characters > CHARACTERS) await flush();
  }
  await flush();
  if (count !== table.rows) throw new Error(`${table.name} has ${count} rows instead of ${table.rows}.`);
}

const CONTENTS = 500;

/** Checks that the store has the bytes of all records, except those that the manifest lists as missing. */
async function assertStored(
  db: Queryable,
  blobs: BlobStore,
  missing: BackupManifest['contents']['missing'],
): Promise<void> {
  const lost = new Set(missing.map(({ projectId, contentDigest }) => projectId + contentDigest));
  for (const { projectId } of await listStoredTotals(db)) {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page = await listStoredContents(db, projectId, { after, limit: CONTENTS });
      for (const { contentDigest, sizeBytes } of page) {
        if (lost.has(projectId + contentDigest)) continue;
        if ((await blobs.readSize({ projectId, contentDigest })) === sizeBytes) continue;
        throw new Error(
          `The store does not have ${contentDigest} of the project ${projectId}. No record was restored.`,
        );
      }
      after = page.length < CONTENTS ? undefined : page.at(-1)?.cid;
    }
  }
}
