import { statSync } from 'node:fs';

const MEMORY_PER_FILE_BYTE = 6;
/** What a thread takes for the smallest file. */
const THREAD_MEMORY_BYTES = 64 * 2 ** 20;
const FREE_MEMORY_BYTES = 512 * 2 ** 20;

/** What parsing this file may take, in bytes; one that is not there fails where it is read. */
export function memoryForFile(file: string): number {
  const sizeBytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return THREAD_MEMORY_BYTES + MEMORY_PER_FILE_BYTE * sizeBytes;
}

/** What parsing the largest file may take, with room to spare, in bytes. */
export function memoryForLargest(maxBytes: number): number {
  return FREE_MEMORY_BYTES + MEMORY_PER_FILE_BYTE * maxBytes;
}
