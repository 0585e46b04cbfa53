/** A response body. A short text is a string. A long text is UTF-8 in pieces, which are quick to hash or send. */
export type JsonText = string | readonly Buffer[];

/** Approximate size of a piece in bytes. Hashing and sending a piece takes half a millisecond. */
const PIECE_BYTES = 2 ** 18;

export function toText(json: JsonText): string {
  return typeof json === 'string' ? json : Buffer.concat(json).toString();
}

/** Returns the size in bytes. For a string it is approximate: the number of characters. */
export function lengthOf(json: JsonText): number {
  return typeof json === 'string' ? json.length : json.reduce((sum, { length }) => sum + length, 0);
}

/** Splits bytes into pieces without a copy. The pieces use the memory of `bytes`. */
export function cut(bytes: Uint8Array): Buffer[] {
  const { buffer, byteOffset, length } = bytes;
  return Array.from({ length: Math.ceil(length / PIECE_BYTES) }, (_, index) => {
    const start = index * PIECE_BYTES;
    return Buffer.from(buffer, byteOffset + start, Math.min(PIECE_BYTES, length - start));
  });
}

/** Joins parts in order. A string becomes the beginning of the next piece; at the end it is a piece of its own. */
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
