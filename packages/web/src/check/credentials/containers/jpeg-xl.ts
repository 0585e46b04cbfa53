import { type Container, type FoundStore, holdsAt, viewOf } from './container.js';

const SIGNATURE = '\0\0\0\x0cJXL \r\n\x87\n';
const CODESTREAM = '\xff\x0a';
/** In a C2PA store, the description box follows the head of the `jumb` box (C2PA 2.2 §11.1.4). */
const DESCRIPTION = 'jumdc2pa';

/** The store is a box `jumb` at the top level (ISO/IEC 18181-2 §9). A codestream without boxes has none. */
export const JPEG_XL: Container = {
  canRead: (bytes) => holdsAt(bytes, 0, SIGNATURE) || holdsAt(bytes, 0, CODESTREAM),
  maxCoveredBytes: 0,

  listStores(bytes) {
    const view = viewOf(bytes);
    const found: FoundStore[] = [];
    for (let at = holdsAt(bytes, 0, SIGNATURE) ? 0 : bytes.length; at < bytes.length; ) {
      const { length, head } = readHead(view, at);
      if (length < head) throw new Error('A box is shorter than its head');
      if (holdsAt(bytes, at + 4, 'jumb') && holdsAt(bytes, at + head + 4, DESCRIPTION))
        found.push({ store: bytes.subarray(at, at + length), carrier: [{ start: at, length }] });
      at += length;
    }
    return found;
  },
};

/** Reads the length of a box. The length 0 means that the box ends with the file. */
function readHead(view: DataView, at: number): { length: number; head: number } {
  const length = view.getUint32(at);
  if (length === 1) return { length: Number(view.getBigUint64(at + 8)), head: 16 };
  return { length: length === 0 ? view.byteLength - at : length, head: 8 };
}
