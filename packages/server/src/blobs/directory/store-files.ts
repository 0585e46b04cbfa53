import {
  closeSync,
  existsSync,
  fsync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { FileToStore, FromFileThread, ToFileThread } from './protocol.js';

const syncLater = promisify(fsync);
/** When the first sync takes longer than this, the remaining files are synced concurrently. */
const SLOW_SYNC_MS = 2;

interface Passage {
  file: FileToStore;
  bytes: Uint8Array;
  handle?: number;
  /** Directories that need a sync before the file is durable. */
  directories: string[];
  fault?: unknown;
}

/** Stores files, each completely or not at all. Skips files that already exist. Blocks the calling thread. */
export async function storeFiles({ buffer, files }: ToFileThread): Promise<FromFileThread> {
  const passages = files.map((file): Passage => {
    return { file, bytes: new Uint8Array(buffer, file.start, file.sizeBytes), directories: [] };
  });
  for (const passage of passages) attempt(passage, writeDraft);
  await syncDrafts(passages.filter(({ handle }) => handle !== undefined));
  for (const passage of passages) attempt(passage, place);
  for (const passage of passages) attempt(passage, removeDraft);
  await syncDirectories(passages.filter(({ fault }) => fault === undefined));
  return passages.map(({ fault }) => (fault === undefined ? undefined : toFault(fault)));
}

function attempt(passage: Passage, step: (passage: Passage) => void): void {
  if (passage.fault !== undefined && step !== removeDraft) return;
  try {
    step(passage);
  } catch (error) {
    passage.fault ??= error;
  }
}

function writeDraft(passage: Passage): void {
  const { file, bytes } = passage;
  if (existsSync(file.target)) return;
  passage.handle = openSync(file.draft, 'wx', 0o600);
  for (let offset = 0; offset < bytes.length; ) offset += writeSync(passage.handle, bytes, offset);
}

async function syncDrafts(passages: readonly Passage[]): Promise<void> {
  const faults = await syncAll(passages.map(({ handle }) => handle ?? -1));
  for (const [index, passage] of passages.entries()) passage.fault ??= faults[index];
}

/** Always notes the directory for a sync, because another process may have made the link. */
function place(passage: Passage): void {
  const { file, handle, directories } = passage;
  const leaf = path.dirname(file.target);
  directories.push(leaf);
  if (handle === undefined) return;
  const firstMade = mkdirSync(leaf, { recursive: true, mode: 0o700 });
  if (firstMade !== undefined) {
    for (let made = leaf; made.length >= firstMade.length; made = path.dirname(made))
      directories.push(path.dirname(made));
  }
  try {
    linkSync(file.draft, file.target);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

function removeDraft(passage: Passage): void {
  if (passage.handle === undefined) return;
  try {
    closeSync(passage.handle);
  } finally {
    unlinkSync(passage.file.draft);
  }
}

async function syncDirectories(passages: readonly Passage[]): Promise<void> {
  const opened = new Map<string, number>();
  const faults = new Map<string, unknown>();
  for (const directory of new Set(passages.flatMap(({ directories }) => directories))) {
    try {
      opened.set(directory, openSync(directory, 'r'));
    } catch (error) {
      faults.set(directory, error);
    }
  }
  const synced = await syncAll([...opened.values()]);
  for (const [index, [directory, handle]] of [...opened].entries()) {
    if (synced[index] !== undefined) faults.set(directory, synced[index]);
    closeSync(handle);
  }
  for (const passage of passages)
    for (const directory of passage.directories) passage.fault ??= faults.get(directory);
}

/** Returns the error of each file, in order. */
async function syncAll(handles: readonly number[]): Promise<unknown[]> {
  const startMs = performance.now();
  const [first, ...others] = handles;
  if (first === undefined) return [];
  const sync = (handle: number) => {
    try {
      fsyncSync(handle);
    } catch (error) {
      return error;
    }
  };
  const fault = sync(first);
  const isSlow = performance.now() - startMs > SLOW_SYNC_MS;
  const later = (handle: number) => syncLater(handle).catch((error: unknown) => error);
  return [fault, ...(isSlow ? await Promise.all(others.map(later)) : others.map(sync))];
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

function toFault(error: unknown) {
  return { message: error instanceof Error ? error.message : String(error), code: codeOf(error) };
}
