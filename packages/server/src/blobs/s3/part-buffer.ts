import { type FileHandle, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { makeTemporaryDirectory } from '../../platform/files/temporary-directory.js';

/** The bytes of the next part of an upload. */
export interface PartBuffer {
  sizeBytes(): number;
  /** Adds as many bytes as fit, and returns the rest. */
  append(chunk: Uint8Array): Promise<Uint8Array>;
  /** Returns the bytes, which then belong to the caller. The buffer is empty afterwards. */
  take(): Promise<Buffer>;
  /** Closes the file. Call it after the last use. */
  close(): Promise<void>;
}

/**
 * Creates a buffer for up to `capacity` bytes. The first `inMemory` bytes are in memory. A larger part is in a temporary
 * file, so that many slow uploads need little memory.
 */
export function createPartBuffer(capacity: number, inMemory = 2 ** 18): PartBuffer {
  let kept = Buffer.alloc(0);
  let file: FileHandle | undefined;
  let fill = 0;

  async function add(part: Uint8Array): Promise<void> {
    if (file === undefined && fill + part.length <= inMemory) {
      keep(part);
      return;
    }
    if (file === undefined) {
      file = await openFile();
      await writeAll(file, kept.subarray(0, fill), 0);
      kept = Buffer.alloc(0);
    }
    await writeAll(file, part, fill);
  }

  /** Grows in steps, so that small content needs little memory. */
  function keep(part: Uint8Array): void {
    const needed = fill + part.length;
    if (needed > kept.length) {
      const larger = Buffer.allocUnsafe(Math.min(Math.max(needed, kept.length * 2), inMemory));
      larger.set(kept.subarray(0, fill));
      kept = larger;
    }
    kept.set(part, fill);
  }

  return {
    sizeBytes: () => fill,
    async append(chunk) {
      const part = chunk.subarray(0, capacity - fill);
      await add(part);
      fill += part.length;
      return chunk.subarray(part.length);
    },
    async take() {
      const taken = file === undefined ? kept.subarray(0, fill) : await readAll(file, fill);
      kept = Buffer.alloc(0);
      fill = 0;
      return taken;
    },
    async close() {
      await file?.close();
      file = undefined;
    },
  };
}

/** Opens a file without a name. So it ends with its handle, also when the process dies. */
async function openFile(): Promise<FileHandle> {
  const directory = await makeTemporaryDirectory('part');
  try {
    return await open(path.join(directory, 'part'), 'wx+', 0o600);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let offset = 0; offset < bytes.length; )
    offset += (await handle.write(bytes, offset, bytes.length - offset, position + offset)).bytesWritten;
}

async function readAll(handle: FileHandle, sizeBytes: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(sizeBytes);
  for (let offset = 0; offset < sizeBytes; ) {
    const { bytesRead } = await handle.read(bytes, offset, sizeBytes - offset, offset);
    if (bytesRead === 0) throw new Error('The temporary file of a part is shorter than expected');
    offset += bytesRead;
  }
  return bytes;
}
