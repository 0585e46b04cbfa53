import { parseCheckpoint, type SignedCheckpoint, toBase64 } from '@colophon/model';

export function formatNote({ note: { text, signatures } }: SignedCheckpoint): string {
  const lines = signatures.map(
    ({ name, keyId, signature }) =>
      `\u2014 ${name} ${toBase64(Buffer.concat([Buffer.from(keyId, 'hex'), signature]))}\n`,
  );
  return `${text}\n${lines.join('')}`;
}

/** Keeps only the log's signatures: one cosignature with ML-DSA-44 has 3.3 KB. Returns other text unchanged. */
export function dropCosignatures(note: string): string {
  const checkpoint = parseCheckpoint(note);
  if (checkpoint === undefined) return note;
  const { text, signatures } = checkpoint.note;
  const own = signatures.filter(({ name }) => name === checkpoint.origin);
  return formatNote({ ...checkpoint, note: { text, signatures: own } });
}
