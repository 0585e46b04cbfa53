import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { ServiceError } from '../../errors.js';
import type { FileFault, FromFileThread, ToFileThread } from './protocol.js';

const MAX_FILES = 64;
const MAX_BYTES = 2 ** 22;

/** One small file, and where it goes. */
export interface SmallFile {
  draft: string;
  target: string;
  bytes: Uint8Array;
}

/** A thread that stores small files. What arrives while it is busy goes together in the next message. */
export interface FileThread {
  /** Resolves once the file is durable at its place. The bytes must not change before. */
  store(file: SmallFile): Promise<void>;
  /** Waits for what is under way and ends the thread. */
  close(): Promise<void>;
}

interface WaitingCall {
  file: SmallFile;
  resolve(): void;
  reject(error: unknown): void;
}

/** The thread starts with the first file, and again after it has failed. */
export function createFileThread(): FileThread {
  let waiting: WaitingCall[] = [];
  let underWay: WaitingCall[] = [];
  let worker: Worker | undefined;
  let idle = () => {};

  function start(): Worker {
    const started = new Worker(createRequire(import.meta.url).resolve('#file-worker'));
    started.on('message', (faults: FromFileThread) => settle((index) => toError(faults[index])));
    const end = (cause?: unknown) => {
      if (worker !== started) return;
      worker = undefined;
      settle(() => new ServiceError('Unavailable', 'The bytes were not stored.', { cause }));
    };
    started.on('error', end);
    started.on('exit', () => end());
    worker = started;
    return started;
  }

  function settle(errorOf: (index: number) => unknown): void {
    const done = underWay;
    underWay = [];
    worker?.unref();
    sendNext();
    for (const [index, { resolve, reject }] of done.entries()) {
      const error = errorOf(index);
      if (error === undefined) resolve();
      else reject(error);
    }
  }

  function sendNext(): void {
    if (underWay.length > 0) return;
    if (waiting.length === 0) {
      idle();
      return;
    }
    underWay = takeBatch(waiting);
    waiting = waiting.slice(underWay.length);
    const message = toMessage(underWay.map(({ file }) => file));
    const thread = worker ?? start();
    thread.ref();
    thread.postMessage(message, [message.buffer]);
  }

  return {
    store: (file) =>
      new Promise((resolve, reject) => {
        waiting.push({ file, resolve, reject });
        sendNext();
      }),
    async close() {
      await new Promise<void>((resolve) => {
        idle = resolve;
        sendNext();
      });
      await worker?.terminate();
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

/** All bytes in one buffer, which the thread gets without a copy. */
function toMessage(given: readonly SmallFile[]): ToFileThread {
  const all = new Uint8Array(given.reduce((sum, { bytes }) => sum + bytes.length, 0));
  let end = 0;
  const files = given.map(({ draft, target, bytes }) => {
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
