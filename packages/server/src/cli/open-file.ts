import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { getSystemErrorMap } from 'node:util';
import { withProgress } from './progress.js';

export class UnreadableError extends Error {
  constructor(file: string, cause: unknown) {
    const { errno, message } = cause as NodeJS.ErrnoException;
    super(`Cannot read ${file}: ${getSystemErrorMap().get(errno ?? 0)?.[1] ?? message}.`, { cause });
    this.name = 'UnreadableError';
  }
}

/** A file that a command opens before it sends a request. */
export interface OpenedFile {
  /** Call it only once. For a file, a terminal shows a progress bar with the `label`. */
  read(label: string): AsyncIterable<Uint8Array>;
}

export const STDIN = '-';

export function fileNameOf(file: string): string {
  return file === STDIN ? 'stdin' : path.basename(file);
}

/** Throws UnreadableError for a directory, and for every error of a file, including errors of the later read. */
export async function openFile(file: string): Promise<OpenedFile> {
  if (file === STDIN) return { read: () => process.stdin };
  const handle = await readable(file, () => open(file));
  const stats = await readable(file, () => handle.stat());
  if (stats.isDirectory()) {
    await handle.close();
    throw new UnreadableError(file, new Error('it is a directory'));
  }
  return { read: (label) => withProgress(readAll(file, handle), { label, sizeBytes: stats.size }) };
}

export function toReadable({ body }: Response): Readable {
  return Readable.fromWeb((body ?? new Blob([]).stream()) as ReadableStream<Uint8Array>);
}

async function* readAll(file: string, handle: FileHandle): AsyncGenerator<Uint8Array> {
  try {
    yield* handle.createReadStream();
  } catch (error) {
    throw new UnreadableError(file, error);
  }
}

async function readable<T>(file: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw new UnreadableError(file, error);
  }
}
