import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { makeDirectory } from '../../files/make-directory.js';
import type { Database } from '../database.js';
import { lockDirectory } from './directory-lock.js';
import type { EngineOptions } from './keep-running.js';
import { openPglite } from './open-pglite.js';
import { readStartTemplate } from './start-template.js';

/**
 * Opens the database of a data directory and creates it if necessary (without a schema if `bare`). Locks the
 * directory until the database is closed. Rejects while another process has the lock.
 */
export async function openDirectory(
  dataDirectory: string,
  { bare = false, ...options }: EngineOptions & { bare?: boolean } = {},
): Promise<Database> {
  await makeDirectory(dataDirectory);
  const lock = await lockDirectory(dataDirectory);
  try {
    const directory = path.join(dataDirectory, 'pg');
    if (!existsSync(directory)) await makeDatabase(directory, bare ? undefined : readStartTemplate());
    const db = await openPglite({ directory, templateFile: undefined }, options);
    return {
      ...db,
      async close() {
        await db.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Creates the database under a temporary name and renames it, so that a crash leaves no incomplete database. */
async function makeDatabase(directory: string, templateFile: string | undefined): Promise<void> {
  const unfinished = `${directory}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  const db = await openPglite({ directory: unfinished, templateFile, isNew: true });
  await db.close();
  syncTree(unfinished);
  renameSync(unfinished, directory);
  syncPath(path.dirname(directory));
}

function syncTree(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const child = path.join(directory, entry.name);
    if (entry.isDirectory()) syncTree(child);
    else syncPath(child);
  }
  syncPath(directory);
}

function syncPath(target: string): void {
  const handle = openSync(target, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
