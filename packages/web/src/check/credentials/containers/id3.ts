import { type Container, type FoundStore, holdsAt, viewOf } from './container.js';

const HEAD_BYTES = 10;
const OBJECT = 'GEOB';
const TYPES = ['application/c2pa\0', 'application/x-c2pa-manifest-store\0'];
const LATIN_1 = 0;
const UTF_8 = 3;
/** Flags of a tag that change the places of its bytes: unsynchronisation and an extended header. */
const MOVES_BYTES = 0xc0;

/** MP3, and FLAC after a tag: the store is an object in the ID3 tag at the start of the file (ID3v2.4 §4.15). */
export const ID3: Container = {
  canRead: (bytes) =>
    (holdsAt(bytes, 0, 'ID3') && (bytes[3] ?? 0xff) < 0x10) || holdsAt(bytes, 0, 'fLaC') || isMp3(bytes),

  listStores(bytes) {
    const view = viewOf(bytes);
    const version = bytes[3] ?? 0;
    const found: FoundStore[] = [];
    if (!holdsAt(bytes, 0, 'ID3') || (version !== 3 && version !== 4)) return found;
    if (view.getUint8(5) & MOVES_BYTES) return found;
    const end = HEAD_BYTES + readSafe(view, 6);
    for (let at = HEAD_BYTES; at + HEAD_BYTES <= end && view.getUint8(at) !== 0; ) {
      const length = version === 4 ? readSafe(view, at + 4) : view.getUint32(at + 4);
      const start = at + HEAD_BYTES;
      if (holdsAt(bytes, at, OBJECT) && TYPES.some((type) => holdsAt(bytes, start + 1, type)))
        found.push(readObject(bytes, { start, length }));
      at = start + length;
    }
    return found;
  },
};

/** Frames of MPEG layer III begin with 11 set bits, the version and the layer (ISO/IEC 11172-3 §2.4.1.3). */
function isMp3([first, second = 0]: Uint8Array): boolean {
  return first === 0xff && (second & 0xe6) === 0xe2;
}

/** Reads a number of four bytes with 7 bits each (ID3v2.4 §6.2). */
function readSafe(view: DataView, at: number): number {
  return [0, 1, 2, 3].reduce((sum, index) => sum * 0x80 + (view.getUint8(at + index) & 0x7f), 0);
}

function readObject(bytes: Uint8Array, frame: { start: number; length: number }): FoundStore {
  if (bytes[frame.start] !== LATIN_1 && bytes[frame.start] !== UTF_8)
    throw new Error('The names of the object have characters of two bytes');
  let start = frame.start + 1;
  for (let names = 0; names < 3; names++) start = bytes.indexOf(0, start) + 1;
  const length = frame.start + frame.length - start;
  return { store: bytes.subarray(start, start + length), carrier: [{ start, length }] };
}
