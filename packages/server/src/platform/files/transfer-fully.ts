import type { FileHandle } from 'node:fs/promises';

/** Repeats short reads of network file systems. Returns less than `bytes.length` only at the end of the file. */
export async function readFully(file: FileHandle, bytes: Uint8Array, start: number): Promise<number> {
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, start + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}

/** Without `start`, writes after the bytes written last. */
export async function writeFully(file: FileHandle, bytes: Uint8Array, start?: number): Promise<void> {
  for (let offset = 0; offset < bytes.length; ) {
    const position = start === undefined ? null : start + offset;
    offset += (await file.write(bytes, offset, bytes.length - offset, position)).bytesWritten;
  }
}
