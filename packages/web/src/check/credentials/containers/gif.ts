import { type Container, type FoundStore, holdsAt, viewOf } from './container.js';

const HEAD_BYTES = 13;
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const APPLICATION = 0xff;
const IMAGE_BYTES = 10;
/** The first sub-block of the extension: its length (11), the identifier `C2PA_GIF` and a version (C2PA 2.2 §A.3). */
const IDENTIFIER = '\x0bC2PA_GIF\x01\0\0';

/** The store is an application extension, in sub-blocks of up to 255 bytes (GIF89a §15 and §26). */
export const GIF: Container = {
  canRead: (bytes) => holdsAt(bytes, 0, 'GIF87a') || holdsAt(bytes, 0, 'GIF89a'),
  maxCoveredBytes: 0,

  listStores(bytes) {
    const view = viewOf(bytes);
    const found: FoundStore[] = [];
    let at = HEAD_BYTES + tableBytes(view.getUint8(10));
    while (at < bytes.length && [EXTENSION, IMAGE].includes(view.getUint8(at))) {
      const isExtension = view.getUint8(at) === EXTENSION;
      // In an image, one byte with the size of the LZW codes comes before the sub-blocks (GIF89a §22).
      const data = isExtension ? at + 2 : at + IMAGE_BYTES + tableBytes(view.getUint8(at + 9)) + 1;
      const end = endOfSubBlocks(bytes, data);
      if (isExtension && bytes[at + 1] === APPLICATION && holdsAt(bytes, data, IDENTIFIER)) {
        const [, ...parts] = listSubBlocks(bytes, data);
        found.push({ store: join(parts), carrier: [{ start: at, length: end - at }] });
      }
      at = end;
    }
    return found;
  },
};

function tableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

function endOfSubBlocks(bytes: Uint8Array, start: number): number {
  let at = start;
  for (let length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) at += 1 + length;
  return at + 1;
}

function listSubBlocks(bytes: Uint8Array, start: number): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let at = start;
  for (let length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) {
    parts.push(bytes.subarray(at + 1, at + 1 + length));
    at += 1 + length;
  }
  return parts;
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
