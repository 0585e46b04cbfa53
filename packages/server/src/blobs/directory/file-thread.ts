import { createRequire } from 'node:module';
import { createThreadPool, type ThreadJob } from '../../platform/threads/thread-pool.js';
import type { FileFault, FromFileThread, ToFileThread } from './protocol.js';

const MAX_FILES = 64;
const MAX_BYTES = 2 ** 22;

export interface SmallFile {
  draft: string;
  target: string;
  bytes: Uint8Array;
}

/** Files that arrive while the thread is busy form the next batch. */
export interface FileThread {
  /** Resolves when the file is durable at `target`. The caller must not change the bytes until then. */
  store(file: SmallFile): Promise<void>;
  /** Waits for pending files and ends the thread. */
  close(): Promise<void>;
}

interface WaitingCall {
  file: SmallFile;
  resolve(): void;
  reject(error: unknown): void;
}

interface FileBatch extends ThreadJob {
  calls: readonly WaitingCall[];
}

/** Starts the thread when the first file arrives, and again after a failure. */
export function createFileThread(): FileThread {
  let waiting: WaitingCall[] = [];
  let onIdle = () => {};
  const pool = createThreadPool<FileBatch, FromFileThread>({
    workerFile: createRequire(import.meta.url).resolve('#file-worker'),
    stopped: 'The bytes were not stored.',
    onMessage(lane, faults) {
      const { calls = [] } = lane.finish() ?? {};
      sendNext();
      for (const [index, { resolve, reject }] of calls.entries()) {
        const error = toError(faults[index]);
        if (error === undefined) resolve();
        else reject(error);
      }
    },
    onEnd: sendNext,
  });

  function sendNext(): void {
    const [running] = pool.lanes;
    if (running !== undefined && running.jobs.size > 0) return;
    if (waiting.length === 0) {
      onIdle();
      return;
    }
    const calls = takeBatch(waiting);
    waiting = waiting.slice(calls.length);
    const message = toMessage(calls.map(({ file }) => file));
    const fail = (error: Error) => {
      for (const { reject } of calls) reject(error);
    };
    const lane = running ?? pool.start();
    lane.add({ calls, fail });
    lane.send(message, [message.buffer]);
  }

  return {
    store: (file) =>
      new Promise((resolve, reject) => {
        waiting.push({ file, resolve, reject });
        sendNext();
      }),
    async close() {
      await new Promise<void>((resolve) => {
        onIdle = resolve;
        sendNext();
      });
      await pool.close();
    },
  };
}

function takeBatch(waiting: readonly WaitingCall[]): WaitingCall[] {
  let sizeBytes = 0;
  const past = waiting.findIndex(({ file }, index) => {
    sizeBytes += file.bytes.length;
    return index > 0 && (index === MAX_FILES || sizeBytes > MAX_BYTES);
  });
  return waiting.slice(0, past === -1 ? waiting.length : past);
}

/** The buffer moves to the thread without a copy. */
function toMessage(batch: readonly SmallFile[]): ToFileThread {
  const all = new Uint8Array(batch.reduce((sum, { bytes }) => sum + bytes.length, 0));
  let end = 0;
  const files = batch.map(({ draft, target, bytes }) => {
    const start = end;
    all.set(bytes, start);
    end += bytes.length;
    return { draft, target, start, sizeBytes: bytes.length };
  });
  return { buffer: all.buffer, files };
}

function toError(fault: FileFault | undefined): Error | undefined {
  return fault && Object.assign(new Error(fault.message), { code: fault.code });
}
