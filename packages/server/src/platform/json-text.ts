/** A response body: a short text, or a long text as UTF-8 in pieces. */
export type JsonText = string | readonly Buffer[];

/** Hashing and sending a piece of this size takes half a millisecond. */
const PIECE_BYTES = 2 ** 18;

export function toText(json: JsonText): string {
  return typeof json === 'string' ? json : Buffer.concat(json).toString();
}

/** Returns the size in bytes; for a string, the number of characters. */
export function lengthOf(json: JsonText): number {
  return typeof json === 'string' ? json.length : json.reduce((sum, { length }) => sum + length, 0);
}

/** The pieces use the memory of `bytes`. */
export function cut(bytes: Uint8Array): Buffer[] {
  const { buffer, byteOffset, length } = bytes;
  return Array.from({ length: Math.ceil(length / PIECE_BYTES) }, (_, index) => {
    const start = index * PIECE_BYTES;
    return Buffer.from(buffer, byteOffset + start, Math.min(PIECE_BYTES, length - start));
  });
}

/** Copies only strings. */
export function join(parts: Iterable<string | Buffer>): Buffer[] {
  const pieces: Buffer[] = [];
  let text = '';
  const addText = () => {
    if (text !== '') pieces.push(Buffer.from(text));
    text = '';
  };
  for (const part of parts) {
    if (typeof part === 'string') text += part;
    else {
      addText();
      pieces.push(part);
    }
  }
  addText();
  return pieces;
}
