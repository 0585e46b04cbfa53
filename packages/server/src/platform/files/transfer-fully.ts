import type { FileHandle } from 'node:fs/promises';

/**
 * Fills `bytes` from the position `start` of the file. Returns the number of bytes read, which is less than
 * `bytes.length` only at the end of the file. A network file system can return fewer bytes than requested, so this
 * function repeats the read.
 */
export async function readFully(file: FileHandle, bytes: Uint8Array, start: number): Promise<number> {
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, start + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}

/** Writes all bytes, from the position `start` on. Without `start`, writes them after the bytes written last. */
export async function writeFully(file: FileHandle, bytes: Uint8Array, start?: number): Promise<void> {
  for (let offset = 0; offset < bytes.length; ) {
    const position = start === undefined ? null : start + offset;
    offset += (await file.write(bytes, offset, bytes.length - offset, position)).bytesWritten;
  }
}
