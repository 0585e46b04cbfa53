import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { makeDirectory } from '../../files/make-directory.js';
import type { Database } from '../database.js';
import { lockDirectory } from './directory-lock.js';
import type { EngineOptions } from './keep-running.js';
import { openPglite } from './open-pglite.js';
import { readEntries } from './read-template.js';
import { readStartTemplate } from './start-template.js';

/** Creates the database if necessary (without a schema if `bare`). Rejects while another process has the lock. */
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
  if (templateFile === undefined) {
    const db = await openPglite({ directory: unfinished, templateFile, isNew: true });
    await db.close();
  } else await unpack(templateFile, unfinished);
  syncTree(unfinished);
  renameSync(unfinished, directory);
  syncPath(path.dirname(directory));
}

async function unpack(templateFile: string, directory: string): Promise<void> {
  mkdirSync(directory, { mode: 0o700 });
  for await (const { name, isDirectory, content } of readEntries(templateFile)) {
    const place = path.join(directory, name);
    mkdirSync(isDirectory ? place : path.dirname(place), { recursive: true, mode: 0o700 });
    if (!isDirectory) writeFileSync(place, content, { mode: 0o600 });
  }
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
