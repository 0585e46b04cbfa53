import { randomUUID } from 'node:crypto';
import { constants, createReadStream, type Stats } from 'node:fs';
import {
  access,
  type FileHandle,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { ServiceError } from '../../errors.js';
import { makeDirectory } from '../../platform/files/make-directory.js';
import { writeFully } from '../../platform/files/transfer-fully.js';
import type { BlobRef, BlobStore, BlobWriter, StoredBlob } from '../blob-store.js';
import { createFileThread } from './file-thread.js';

/** An unfinished upload of this age belongs to a process that ended. */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;

/** Stores bytes under `<project>/sha256/<2 hex>/<2 hex>/<hex>`. After a crash, a file is either complete or absent. */
export async function openDirectoryStore(root: string): Promise<BlobStore> {
  const temporary = path.join(root, 'tmp');
  await makeDirectory(temporary);
  await removeAbandoned(temporary);
  const fileOf = ({ projectId, contentDigest }: BlobRef) => {
    const hex = contentDigest.slice('sha256:'.length);
    return path.join(root, projectId, 'sha256', hex.slice(0, 2), hex.slice(2, 4), hex);
  };

  const documentOf = (name: string) => path.join(root, 'documents', name);
  const newDraft = () => path.join(temporary, randomUUID());
  const thread = createFileThread();

  return {
    durable: true,
    createWriter: (projectId) =>
      createFileWriter(newDraft(), (contentDigest) => fileOf({ projectId, contentDigest })),
    put: (ref, bytes) => orFull(thread.store({ draft: newDraft(), target: fileOf(ref), bytes })),
    readSize: (ref) => readFileSize(fileOf(ref)),
    async readContent(ref, range, highWaterMark) {
      const file = await openIfPresent(fileOf(ref));
      return file && createReadStream('', { fd: file, ...range, highWaterMark });
    },
    listContents: () => listFiles(root),
    remove: async (ref) => void (await unlinkIfPresent(fileOf(ref))),
    readDocument: (name) => ifPresent(readFile(documentOf(name))),
    writeDocument: (name, bytes) => orFull(writeOver(documentOf(name), { draft: newDraft(), bytes })),
    removeDocument: async (name) => void (await unlinkIfPresent(documentOf(name))),
    release() {},
    check: () => access(temporary, constants.R_OK | constants.W_OK),
    close: thread.close,
  };
}

async function* listFiles(root: string): AsyncGenerator<StoredBlob> {
  for await (const file of walk(root)) {
    const [projectId = '', algorithm, first, second, hex = '', ...rest] = path
      .relative(root, file)
      .split(path.sep);
    const isPlaced = algorithm === 'sha256' && hex.startsWith(`${first}${second}`) && rest.length === 0;
    const facts = isPlaced && /^[0-9a-f]{64}$/.test(hex) ? await statIfPresent(file) : undefined;
    if (facts?.isFile() !== true) continue;
    yield { projectId, contentDigest: `sha256:${hex}`, sizeBytes: facts.size, storedAt: facts.mtime };
  }
}

/** Does not use the recursive `opendir`, which skips some files in Node 20. */
async function* walk(directory: string): AsyncGenerator<string> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const place = path.join(directory, entry.name);
    if (entry.isDirectory()) yield* walk(place);
    else yield place;
  }
}

/** The writer collects chunks in a block of this size, because one system call for each chunk is slower. */
const BLOCK_BYTES = 2 ** 18;

async function createFileWriter(draft: string, targetOf: (digest: string) => string): Promise<BlobWriter> {
  const file = await orFull(open(draft, 'wx', 0o600));
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  let fill = 0;
  let unfinished = true;
  const flush = async () => {
    await writeFully(file, block.subarray(0, fill));
    fill = 0;
  };
  const append = async (chunk: Uint8Array) => {
    for (let rest = chunk; rest.length > 0; ) {
      const part = rest.subarray(0, BLOCK_BYTES - fill);
      block.set(part, fill);
      fill += part.length;
      rest = rest.subarray(part.length);
      if (fill === BLOCK_BYTES) await flush();
    }
  };
  const finish = async () => {
    if (!unfinished) return;
    unfinished = false;
    await file.close();
    await unlinkIfPresent(draft);
  };
  return {
    write: (chunk) => orFull(append(chunk)),
    async commit(contentDigest) {
      await orFull(flush());
      await orFull(file.sync());
      await orFull(place(draft, targetOf(contentDigest)));
      await finish();
    },
    discard: finish,
  };
}

/** Converts the error of a full disk to `Unavailable`. */
async function orFull<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isCode(error, 'ENOSPC', 'EDQUOT')) throw error;
    throw new ServiceError('Unavailable', 'The store has no space left.', {
      recovery: 'Have the operator free space on the disk of DATA_DIR, then try again.',
      cause: error,
    });
  }
}

/** Always syncs the directory of the file, because another process may have linked the file without a sync. */
async function place(draft: string, target: string): Promise<void> {
  const leaf = path.dirname(target);
  const firstMade = await mkdir(leaf, { recursive: true, mode: 0o700 });
  try {
    await link(draft, target);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  }
  await syncDirectory(leaf);
  if (firstMade === undefined) return;
  for (let directory = leaf; directory.length >= firstMade.length; directory = path.dirname(directory)) {
    await syncDirectory(path.dirname(directory));
  }
}

/** After a crash, the file has either the old or the new bytes. */
async function writeOver(
  target: string,
  { draft, bytes }: { draft: string; bytes: Uint8Array },
): Promise<void> {
  const directory = path.dirname(target);
  if ((await mkdir(directory, { recursive: true, mode: 0o700 })) !== undefined)
    await syncDirectory(path.dirname(directory));
  try {
    await writeFile(draft, bytes, { mode: 0o600, flag: 'wx', flush: true });
    await rename(draft, target);
  } catch (error) {
    await unlinkIfPresent(draft);
    throw error;
  }
  await syncDirectory(directory);
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function readFileSize(file: string): Promise<number | undefined> {
  return (await statIfPresent(file))?.size;
}

async function statIfPresent(file: string): Promise<Stats | undefined> {
  return ifPresent(stat(file));
}

async function unlinkIfPresent(file: string): Promise<void> {
  await ifPresent(unlink(file));
}

async function openIfPresent(file: string): Promise<FileHandle | undefined> {
  return ifPresent(open(file, 'r'));
}

async function ifPresent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

async function removeAbandoned(temporary: string): Promise<void> {
  for (const name of await readdir(temporary)) {
    const file = path.join(temporary, name);
    const age = Date.now() - ((await statIfPresent(file))?.mtimeMs ?? Date.now());
    if (age > ABANDONED_AFTER_MS) await unlinkIfPresent(file);
  }
}

function isCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
