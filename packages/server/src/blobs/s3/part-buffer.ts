import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { withTemporaryDirectory } from '../../platform/files/temporary-file.js';
import { readFully, writeFully } from '../../platform/files/transfer-fully.js';

export interface PartBuffer {
  sizeBytes(): number;
  /** Adds as many bytes as fit, and returns the rest. */
  append(chunk: Uint8Array): Promise<Uint8Array>;
  /** Returns the bytes, which then belong to the caller. The buffer is empty afterwards. */
  take(): Promise<Buffer>;
  close(): Promise<void>;
}

/** A part of more than `inMemory` bytes is in a temporary file, so that many slow uploads need little memory. */
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
      await writeFully(file, kept.subarray(0, fill), 0);
      kept = Buffer.alloc(0);
    }
    await writeFully(file, part, fill);
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

/** Opens a file and removes its name. The system then frees the file when it is closed or the process ends. */
function openFile(): Promise<FileHandle> {
  return withTemporaryDirectory('part', (directory) => open(path.join(directory, 'part'), 'wx+', 0o600));
}

async function readAll(file: FileHandle, sizeBytes: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(sizeBytes);
  if ((await readFully(file, bytes, 0)) < sizeBytes)
    throw new Error('The temporary file of a part is shorter than expected');
  return bytes;
}
