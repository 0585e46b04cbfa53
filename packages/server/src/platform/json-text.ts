/** JSON text: as a string while it is short; a long one in UTF-8 and in pieces, none of which takes long to handle. */
export type JsonText = string | readonly Buffer[];

/** About how long a piece is, in bytes: half a millisecond to hash and send. */
const PIECE_BYTES = 2 ** 18;

/** All of it as a string. */
export function toText(json: JsonText): string {
  return typeof json === 'string' ? json : Buffer.concat(json).toString();
}

/** Its length in bytes; of a string in characters, which is near enough for bounds. */
export function lengthOf(json: JsonText): number {
  return typeof json === 'string' ? json.length : json.reduce((sum, { length }) => sum + length, 0);
}

/** Bytes as pieces, without a copy. */
export function cut(bytes: Uint8Array): Buffer[] {
  const { buffer, byteOffset, length } = bytes;
  return Array.from({ length: Math.ceil(length / PIECE_BYTES) }, (_, index) => {
    const start = index * PIECE_BYTES;
    return Buffer.from(buffer, byteOffset + start, Math.min(PIECE_BYTES, length - start));
  });
}

/** Strings and pieces in their order, as pieces alone: what is short goes before the next piece. */
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
