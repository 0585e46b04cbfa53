import { appendFile } from 'node:fs/promises';
import { parseCheckpoint, type SignedCheckpoint } from '@colophon/model';
import { readIfPresent, replaceFile } from '../../platform/files/text-file.js';
import { dropCosignatures } from './format-note.js';

/** The accepted checkpoints of a log, oldest first, without the cosignatures of witnesses. */
export interface CheckpointHistory {
  append(note: string, address: string): Promise<void>;
  /** Returns undefined when the file has no accepted checkpoint of this size. */
  readOfSize(origin: string, size: number): Promise<SignedCheckpoint | undefined>;
}

/** When the file has twice this number of checkpoints, `append` removes the older half. */
const KEPT = 1_000;

/** Each checkpoint follows a line with `#`, the time and the address. Ignores damaged checkpoints. */
export function openCheckpointHistory(file: string, kept = KEPT): CheckpointHistory {
  const readAll = async () => ((await readIfPresent(file)) ?? '').split(/(?<=\n)(?=# )/);
  return {
    async append(note, address) {
      const header = `# ${new Date().toISOString()} ${address}\n`;
      await appendFile(file, `${header}${escapeLines(dropCosignatures(note))}\n`, { mode: 0o600 });
      const all = await readAll();
      if (all.length >= 2 * kept) await replaceFile(file, all.slice(-kept).join(''));
    },
    async readOfSize(origin, size) {
      const all = (await readAll()).map((block) =>
        parseCheckpoint(unescapeLines(block.slice(block.indexOf('\n') + 1, -1))),
      );
      return all.findLast((one) => one?.origin === origin && one.size === size);
    },
  };
}

/**
 * The log chooses the extension lines of a note. Unescaped, such a line could start a checkpoint that nobody signed.
 */
const escapeLines = (note: string) => note.replace(/(?<=^|\n)(?=# |\\)/g, '\\');
const unescapeLines = (text: string) => text.replace(/(?<=^|\n)\\/g, '');
