import { type Container, type FoundStore, holdsAt, viewOf } from './container.js';

const FORMS = ['WAVE', 'AVI ', 'WEBP'];
const HEAD_BYTES = 8;

/** WAV, AVI and WebP: the store is a chunk `C2PA` at the top level of the file (C2PA 2.2 §A.3). */
export const RIFF: Container = {
  canRead: (bytes) => holdsAt(bytes, 0, 'RIFF') && FORMS.some((form) => holdsAt(bytes, 8, form)),
  // The byte that fills up a chunk of odd length.
  maxCoveredBytes: 1,

  listStores(bytes) {
    const view = viewOf(bytes);
    const found: FoundStore[] = [];
    for (let at = 12; at + HEAD_BYTES <= bytes.length; ) {
      const length = view.getUint32(at + 4, true);
      const size = HEAD_BYTES + length + (length % 2);
      if (holdsAt(bytes, at, 'C2PA')) {
        const store = bytes.subarray(at + HEAD_BYTES, at + HEAD_BYTES + length);
        found.push({ store, carrier: [{ start: at, length: size }] });
      }
      at += size;
    }
    return found;
  },
};
