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
 * Returns the signed note of a checkpoint with only the signature lines that have the name of the log. Omits the
 * cosignatures to save space, because one with ML-DSA-44 has 3.3 KB. Returns any other text unchanged.
 */
export function dropCosignatures(note: string): string {
  const checkpoint = parseCheckpoint(note);
  if (checkpoint === undefined) return note;
  const { text, signatures } = checkpoint.note;
  const own = signatures.filter(({ name }) => name === checkpoint.origin);
  return formatNote({ ...checkpoint, note: { text, signatures: own } });
}
