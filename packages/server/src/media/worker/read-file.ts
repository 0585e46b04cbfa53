import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { ServiceError } from '../../errors.js';

/** Throws `PayloadTooLarge` before the read when the file is too large. */
export function readFileWithin(path: string, maxBytes: number): Uint8Array<ArrayBuffer> {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    if (size > maxBytes)
      throw new ServiceError(
        'PayloadTooLarge',
        `The media file has ${size} bytes; the limit is ${maxBytes}.`,
      );
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
