import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { makeTemporaryDirectorySync, type TemporaryUse } from '../platform/files/temporary-directory.js';

/**
 * Writes the bytes to a file for a program, because some formats are read from the end. The file loses its name before
 * `run`, so it disappears even when the thread ends early.
 */
export function inNamelessFile<T>(use: TemporaryUse, bytes: Uint8Array, run: (file: number) => T): T {
  const file = openNameless(use);
  try {
    // Write at a position, so that the offset of the file stays 0: `/dev/fd` shares it on some systems.
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, at);
    return run(file);
  } finally {
    closeSync(file);
  }
}

function openNameless(use: TemporaryUse): number {
  const directory = makeTemporaryDirectorySync(use);
  try {
    return openSync(path.join(directory, use), 'wx+', 0o600);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
