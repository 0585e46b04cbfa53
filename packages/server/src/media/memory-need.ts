import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { memoryToDecode, readShape } from '../platform/work/picture-memory.js';
import { SVG } from './formats.js';

const MEMORY_PER_FILE_BYTE = 6;
const THREAD_MEMORY_BYTES = 64 * 2 ** 20;
const FREE_MEMORY_BYTES = 512 * 2 ** 20;
const HEAD_BYTES = 2 ** 16;
/** Memory to decode a picture whose header does not give its dimensions. */
const USUAL_PICTURE_BYTES = 128 * 2 ** 20;
/** Maximum memory for the thumbnail of a picture. A picture that needs more is signed without a thumbnail. */
const MAX_PICTURE_BYTES = 256 * 2 ** 20;

/** Returns the memory in bytes. For a missing file, returns the minimum, because the later read reports the error. */
export function memoryForFile(file: string): number {
  const sizeBytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return memoryForBytes(sizeBytes);
}

export function memoryForBytes(sizeBytes: number): number {
  return THREAD_MEMORY_BYTES + MEMORY_PER_FILE_BYTE * sizeBytes;
}

/** Returns the memory in bytes, or 0 when the picture gets no thumbnail. */
export function memoryForThumbnail(file: string, mediaType: string): number {
  if (!mediaType.startsWith('image/') || mediaType === SVG) return 0;
  const shape = readShape(readHead(file));
  const bytes = shape === undefined ? USUAL_PICTURE_BYTES : memoryToDecode(shape);
  return bytes > MAX_PICTURE_BYTES ? 0 : bytes;
}

function readHead(file: string): Uint8Array {
  const opened = openSync(file, 'r');
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    return head.subarray(0, readSync(opened, head));
  } finally {
    closeSync(opened);
  }
}

/** In bytes, with a margin. */
export function memoryForLargest(maxBytes: number): number {
  return FREE_MEMORY_BYTES + MEMORY_PER_FILE_BYTE * maxBytes;
}
