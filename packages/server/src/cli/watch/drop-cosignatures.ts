import { parseCheckpoint } from '@colophon/model';

/**
 * Returns the signed note of a checkpoint without the lines of other names than the log's, such as cosignatures. A line
 * of a witness with ML-DSA-44 has 3.3 KB. Returns another text unchanged.
 */
export function dropCosignatures(note: string): string {
  const origin = parseCheckpoint(note)?.origin;
  if (origin === undefined) return note;
  const end = note.lastIndexOf('\n\n') + 2;
  const own = note
    .slice(end)
    .split(/(?<=\n)/)
    .filter((line) => line.startsWith(`\u2014 ${origin} `));
  return note.slice(0, end) + own.join('');
}
