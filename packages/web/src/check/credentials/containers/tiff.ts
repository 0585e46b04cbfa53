import { type Container, type FoundStore, holdsAt, viewOf } from './container.js';

/** Tag of the entry with the store (C2PA 2.2 §A.3). */
const TAG = 0xcd41;
const UNDEFINED = 7;
const ENTRY_BYTES = 12;

/** The store is the value of an entry in the first directory of the file (TIFF 6.0 §2). */
export const TIFF: Container = {
  canRead: (bytes) => holdsAt(bytes, 0, 'II*\0') || holdsAt(bytes, 0, 'MM\0*'),

  listStores(bytes) {
    const view = viewOf(bytes);
    const isLittle = holdsAt(bytes, 0, 'II');
    const directory = view.getUint32(4, isLittle);
    const found: FoundStore[] = [];
    for (let index = 0; index < view.getUint16(directory, isLittle); index++) {
      const entry = directory + 2 + index * ENTRY_BYTES;
      const isStore =
        view.getUint16(entry, isLittle) === TAG && view.getUint16(entry + 2, isLittle) === UNDEFINED;
      if (!isStore) continue;
      const [length, start] = [view.getUint32(entry + 4, isLittle), view.getUint32(entry + 8, isLittle)];
      const count = { start: entry + 4, length: 4 };
      found.push({ store: bytes.subarray(start, start + length), carrier: [count, { start, length }] });
    }
    return found;
  },
};
