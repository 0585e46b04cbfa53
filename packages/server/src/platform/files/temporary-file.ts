import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeTemporaryDirectory, type TemporaryUse } from './temporary-directory.js';

interface TemporaryContent {
  content: AsyncIterable<Uint8Array>;
  signal: AbortSignal;
}

/** Only this user can read the directory. */
export async function withTemporaryDirectory<Result>(
  use: TemporaryUse,
  run: (directory: string) => Promise<Result>,
): Promise<Result> {
  const directory = await makeTemporaryDirectory(use);
  try {
    return await run(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** When the signal aborts, rejects with its reason. */
export function withTemporaryFile<Result>(
  use: TemporaryUse,
  { content, signal }: TemporaryContent,
  run: (file: string) => Promise<Result>,
): Promise<Result> {
  return withTemporaryDirectory(use, async (directory) => {
    try {
      const file = path.join(directory, use);
      await pipeline(content, createWriteStream(file, { flags: 'wx', mode: 0o600 }), { signal });
      return await run(file);
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  });
}
