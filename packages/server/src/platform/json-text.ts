/** JSON text: a short one is a string; a long one is UTF-8 in pieces that are quick to process. */
export type JsonText = string | readonly Buffer[];

/** Approximate size of a piece, in bytes: half a millisecond to hash and send. */
const PIECE_BYTES = 2 ** 18;

export function toText(json: JsonText): string {
  return typeof json === 'string' ? json : Buffer.concat(json).toString();
}

/** Returns the length in bytes; of a string in characters, which is precise enough for limits. */
export function lengthOf(json: JsonText): number {
  return typeof json === 'string' ? json.length : json.reduce((sum, { length }) => sum + length, 0);
}

/** Cuts bytes into pieces without a copy. */
export function cut(bytes: Uint8Array): Buffer[] {
  const { buffer, byteOffset, length } = bytes;
  return Array.from({ length: Math.ceil(length / PIECE_BYTES) }, (_, index) => {
    const start = index * PIECE_BYTES;
    return Buffer.from(buffer, byteOffset + start, Math.min(PIECE_BYTES, length - start));
  });
}

/** Joins strings and pieces in order to pieces. A short string is put before the next piece. */
export function join(parts: Iterable<string | Buffer>): Buffer[] {
  const pieces: Buffer[] = [];
  let before = '';
  for (const part of parts) {
    if (typeof part === 'string') before += part;
    else {
      pieces.push(before === '' ? part : Buffer.concat([Buffer.from(before), part]));
      before = '';
    }
  }
  if (before !== '') pieces.push(Buffer.from(before));
  return pieces;
}
