import { createHash } from 'node:crypto';
import path from 'node:path';
import { parseCheckpoint, type SignedCheckpoint } from '@colophon/model';
import { readIfPresent, replaceFile } from '../../platform/files/text-file.js';

/** For each log, the newest checkpoint that a witness has cosigned, or that `colophon log watch` has accepted. */
export interface CheckpointStore {
  /** Returns undefined when the store has no checkpoint of the log. Rejects when the file is damaged. */
  readLatest(origin: string): Promise<SignedCheckpoint | undefined>;
  /** Replaces the newest checkpoint atomically. Resolves when the new checkpoint is on the disk. */
  write(origin: string, note: string): Promise<void>;
}

/** The directory must exist. One process at a time may use it. */
export function openFilePerLog(directory: string): CheckpointStore {
  // An origin can have any length and almost any characters, so it cannot be a file name.
  const toFile = (origin: string) =>
    path.join(directory, `${createHash('sha256').update(origin).digest('hex')}.checkpoint`);
  return {
    async readLatest(origin) {
      const file = toFile(origin);
      const note = await readIfPresent(file);
      if (note === undefined) return undefined;
      const checkpoint = parseCheckpoint(note);
      if (checkpoint?.origin === origin) return checkpoint;
      throw new Error(
        `${file} is damaged: it does not contain a checkpoint of ${origin}. Restore it from a backup. Without it, ` +
          'this command would accept a different tree of the log.',
      );
    },
    write: (origin, note) => replaceFile(toFile(origin), note),
  };
}
