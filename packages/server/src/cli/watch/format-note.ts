import { parseCheckpoint, type SignedCheckpoint, toBase64 } from '@colophon/model';

/** Returns the signed note of a checkpoint, with its signatures, for the file that proves a fault. */
export function formatNote({ note: { text, signatures } }: SignedCheckpoint): string {
  const lines = signatures.map(
    ({ name, keyId, signature }) =>
      `\u2014 ${name} ${toBase64(Buffer.concat([Buffer.from(keyId, 'hex'), signature]))}\n`,
  );
  return `${text}\n${lines.join('')}`;
}

/**
 * Returns the signed note of a checkpoint without cosignatures: it has only the signature lines with the log's own name.
 * This saves space, because a cosignature with ML-DSA-44 has 3.3 KB. Returns any other text unchanged.
 */
export function dropCosignatures(note: string): string {
  const checkpoint = parseCheckpoint(note);
  if (checkpoint === undefined) return note;
  const { text, signatures } = checkpoint.note;
  const own = signatures.filter(({ name }) => name === checkpoint.origin);
  return formatNote({ ...checkpoint, note: { text, signatures: own } });
}
