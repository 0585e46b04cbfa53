import { parentPort, workerData } from 'node:worker_threads';
import { ServiceError } from '../../errors.js';
import { lowerPriority } from '../../platform/threads/lower-priority.js';
import { toSource } from '../byte-source.js';
import { findManifest } from '../find-manifest.js';
import { createPassTimes, type PassTimes } from '../pass-times.js';
import { loadEngine, toReadSettings } from './c2pa-wasm.js';
import { isolateThread } from './isolate-thread.js';
import type {
  FindInTextTask,
  FindOutcome,
  FromWorker,
  MediaWorkerAnswer,
  MediaWorkerSettings,
  SignatureCall,
  ToWorker,
  WorkerLoad,
  WorkerTask,
} from './protocol.js';
import { readFileWithin } from './read-file.js';
import { readManifest } from './read-manifest.js';
import { signFile } from './sign-file.js';

const port = parentPort;
if (port === null) throw new Error('This file runs as a worker thread');

lowerPriority();
const countNetworkAttempts = isolateThread();
let measureMemory = () => 0;
let takeSignature: ((signature: Uint8Array | undefined) => void) | undefined;

function post(message: FromWorker, transfer: ArrayBuffer[] = []): void {
  port?.postMessage(message, transfer);
}

async function requestSignature(call: SignatureCall): Promise<Uint8Array> {
  const signature = await new Promise<Uint8Array | undefined>((resolve) => {
    takeSignature = resolve;
    post({ kind: 'sign', ...call });
  });
  if (signature === undefined) throw new Error('no signature');
  return signature;
}

function notifyWritten(): void {
  post({ kind: 'written' });
}

async function perform(task: WorkerTask, times: PassTimes): Promise<MediaWorkerAnswer> {
  if (task.kind === 'sign') return signFile(task, { requestSignature, notifyWritten, times });
  if (task.kind === 'find') return times.time('find', () => findInText(task));
  const bytes = await times.time('load', () => readFileWithin(task.path, task.maxBytes));
  const { mediaType } = task;
  return readManifest(
    { bytes, mediaType, ...toReadSettings(task) },
    { pass: 'read', times, interpretOptions: task.interpretOptions },
  );
}

async function findInText({ bytes, ...wanted }: FindInTextTask): Promise<FindOutcome> {
  const file = toSource(Buffer.from(bytes.buffer));
  const found = await findManifest(file, wanted);
  // The bytes of the store can be a part of a larger buffer, so they are copied.
  return { found: found?.bytes.bytes && { bytes: new Uint8Array(found.bytes.bytes), sha256: found.sha256 } };
}

async function run(task: WorkerTask): Promise<void> {
  const times = createPassTimes();
  const toLoad = (isPoisoned: boolean): WorkerLoad => ({
    memoryBytes: measureMemory(),
    networkAttempts: countNetworkAttempts(),
    isPoisoned,
    passes: times.sums,
  });
  try {
    const answer = await perform(task, times);
    post({ kind: 'done', answer, load: toLoad(false) }, toTransfer(answer));
  } catch (error) {
    post(toFailure(error, toLoad));
  }
}

function toFailure(error: unknown, toLoad: (isPoisoned: boolean) => WorkerLoad): FromWorker {
  if (!(error instanceof ServiceError))
    return { kind: 'failed', code: 'Internal', message: String(error), load: toLoad(true) };
  const { code, message, recovery, details } = error;
  return { kind: 'failed', code, message, recovery, details, load: toLoad(false) };
}

/** These buffers are moved instead of copied. */
function toTransfer(answer: MediaWorkerAnswer): ArrayBuffer[] {
  if ('found' in answer) return answer.found === undefined ? [] : [answer.found.bytes.buffer];
  if (!('kind' in answer) || answer.kind !== 'store') return [];
  return answer.thumbnails.map(({ bytes }) => bytes.buffer as ArrayBuffer);
}

function hear(message: ToWorker): void {
  if (message.kind === 'run') void run(message.task);
  else takeSignature?.(message.kind === 'signed' ? message.signature : undefined);
}

try {
  measureMemory = await loadEngine((workerData as MediaWorkerSettings).program);
  port.on('message', hear);
  post({ kind: 'ready' });
} catch (error) {
  post({ kind: 'unready', message: error instanceof Error ? error.message : String(error) });
}
