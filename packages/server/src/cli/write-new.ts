import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Removes the file when reading or writing fails. Changes nothing when the file exists. */
export async function writeNew(file: string, bytes: Readable): Promise<void> {
  const target = createWriteStream(file, { flags: 'wx' });
  let isOurs = false;
  target.once('open', () => {
    isOurs = true;
  });
  try {
    await pipeline(bytes, target);
  } catch (error) {
    if (isOurs) await rm(file, { force: true });
    throw error;
  }
}
