import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { ServiceError } from '../errors.js';
import { whenAborted } from '../platform/sleep-until.js';
import { holdPictureLibrary } from '../platform/threads/hold-picture-library.js';
import { inSpan } from '../platform/tracing/in-span.js';
import type { Scheduler } from '../platform/work/scheduler.js';
import { type ByteSource, readWhole, toSource } from './byte-source.js';
import type { WorkerProgram } from './compile-engine.js';
import type { FoundManifest } from './find-manifest.js';
import { MAX_TEXT_BYTES } from './find-store.js';
import { findFormat, type MediaFormat } from './formats.js';
import type {
  FindRequest,
  ManifestSigner,
  MediaEngine,
  ReadOutcome,
  ReadRequest,
  SignOutcome,
  SignRequest,
} from './media-engine.js';
import { memoryForBytes, memoryForFile, memoryForLargest, memoryForThumbnail } from './memory-need.js';
import type { PassTimes } from './pass-times.js';
import { toTimeout } from './pool-refusals.js';
import { readCertificates } from './signing/certificate.js';
import { checkSigner, OF_IDENTITY } from './signing/check-signer.js';
import { type CoseSigner, createCoseSigner } from './signing/cose-signer.js';
import { createTimeStampClient, type TimeStampFetch } from './signing/time-stamp.js';
import type { FindOutcome, SignatureCall, SignTask } from './worker/protocol.js';
import { WorkerPool, type WorkOrder } from './worker-pool.js';

export interface MediaEngineOptions extends WorkerProgram {
  /** Maximum size of a media file in bytes. Processing takes up to six times as much memory. */
  maxBytes: number;
  /** Time limit of one call, without its wait in the fair queue. */
  timeoutMs: number;
  /** The fair queue of files. The engine needs at most one thread for each slot. */
  scheduler: Scheduler;
  /** Maximum growth of the process's memory during one call, in bytes; default: 6 * `maxBytes` + 512 MiB. */
  memoryBytes?: number;
  /** Lifetime of a thread without work, in milliseconds; 30 s by default. */
  idleMs?: number;
  /** Used only for time-stamps; default: `globalThis.fetch`. */
  fetch?: TimeStampFetch;
  times?: PassTimes;
}

/** Resolves even when the engine cannot start; `available` then has the reason. */
export async function createMediaEngine(options: MediaEngineOptions): Promise<MediaEngine> {
  const pool = new WorkerPool({
    ...options,
    memoryBytes: options.memoryBytes ?? memoryForLargest(options.maxBytes),
  });
  const missing = await pool.start();
  const available = missing === undefined ? true : ({ reason: missing } as const);
  return {
    available,
    get networkAttempts() {
      return pool.networkAttempts;
    },
    async read(request) {
      assertAvailable(available);
      return readFile(request, { pool, options });
    },
    async find(request) {
      assertAvailable(available);
      return findInText(request, { pool, options });
    },
    async sign(request) {
      assertAvailable(available);
      return signFile(request, { pool, options });
    },
    close: () => pool.close(),
  };
}

interface MediaEngineDeps {
  pool: WorkerPool;
  options: MediaEngineOptions;
}

async function readFile(
  { tenant, isBackground, signal, ...request }: ReadRequest,
  deps: MediaEngineDeps,
): Promise<ReadOutcome> {
  const { mediaType } = requireFormat(request.mediaType, 'read');
  assertAnchors(request);
  const { maxBytes } = deps.options;
  const task = { ...request, kind: 'read', mediaType, maxBytes } as const;
  const attributes = { 'colophon.media.type': mediaType };
  return (await inSpan('read media', { attributes }, () =>
    runInTurn(
      deps,
      { tenant, isBackground, signal },
      {
        memoryBytes: memoryForFile(task.path),
        canRestart: isBackground === true,
        toOrder: async () => ({ task }),
      },
    ),
  )) as ReadOutcome;
}

async function findInText(
  { file, tenant, isBackground, signal, ...wanted }: FindRequest,
  deps: MediaEngineDeps,
): Promise<FoundManifest | undefined> {
  if (file.sizeBytes > MAX_TEXT_BYTES) return undefined;
  const work = {
    memoryBytes: memoryForBytes(file.sizeBytes),
    canRestart: isBackground === true,
    async toOrder(signal: AbortSignal) {
      const bytes = await readInTime(file, signal, deps.options.timeoutMs);
      return bytes && { task: { ...wanted, kind: 'find', bytes } as const };
    },
  };
  const answer = (await runInTurn(deps, { tenant, isBackground, signal }, work)) as FindOutcome | undefined;
  return answer?.found && { ...answer.found, bytes: toSource(Buffer.from(answer.found.bytes.buffer)) };
}

/** A blob store that sends nothing must not hold the slot and the memory. */
async function readInTime(file: ByteSource, signal: AbortSignal, timeoutMs: number) {
  signal.throwIfAborted();
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(toTimeout(timeoutMs)), timeoutMs);
  const stop = AbortSignal.any([signal, late.signal]);
  try {
    return await Promise.race([readWhole(file, stop), whenAborted(stop)]);
  } finally {
    clearTimeout(timer);
  }
}

type Order = Pick<WorkOrder, 'task' | 'calls'>;

interface TurnWork<Made extends Order | undefined> {
  memoryBytes: number;
  canRestart: boolean;
  /** Runs when the fair queue has reached the project. If it resolves to undefined, no task runs. */
  toOrder(signal: AbortSignal): Promise<Made>;
}

function runInTurn<Made extends Order | undefined>(
  { pool, options: { scheduler, times } }: MediaEngineDeps,
  { tenant: projectId = '', isBackground, signal }: Pick<ReadRequest, 'tenant' | 'isBackground' | 'signal'>,
  { toOrder, ...needs }: TurnWork<Made>,
) {
  const queuedMs = performance.now();
  const turn = { kind: 'media', projectId, isBackground, signal, ...needs } as const;
  return scheduler.run(turn, async (signal, hold) => {
    times?.add(new Map([['queue', { count: 1, ms: performance.now() - queuedMs }]]));
    const order = await toOrder(signal);
    return order && pool.run({ ...order, signal, hold });
  });
}

async function signFile(request: SignRequest, deps: MediaEngineDeps): Promise<SignOutcome> {
  const { options } = deps;
  const { mediaType } = requireFormat(request.mediaType, 'write');
  assertAnchors(request);
  const signer = openSigner(request.signer, options);
  const identity = request.identity && openSigner(request.identity, options, OF_IDENTITY);
  if (existsSync(request.outputPath)) throw new Error(`${request.outputPath} exists already`);
  const task: SignTask = {
    kind: 'sign',
    path: request.path,
    outputPath: request.outputPath,
    mediaType,
    comment: request.comment,
    textForm: request.textForm,
    definition: toPlain(request.definition),
    ingredients: request.ingredients.map(({ json, path, mediaType: given }) => ({
      json: toPlain(json),
      path,
      mediaType: requireFormat(given, 'read').mediaType,
    })),
    thumbnailBytes:
      request.thumbnail === true && (await holdPictureLibrary())
        ? memoryForThumbnail(request.path, mediaType)
        : 0,
    isUnsigned: request.isUnsigned === true,
    algorithm: signer.algorithm,
    reserveBytes: signer.reserveBytes,
    identity: identity && { reserveBytes: identity.reserveBytes, roles: request.identity?.roles ?? [] },
    trustAnchorsPem: request.trustAnchorsPem,
    identityAnchorsPem: request.identityAnchorsPem,
    maxBytes: options.maxBytes,
  };
  try {
    const sign = (call: SignatureCall) =>
      (call.by === 'identity' && identity !== undefined ? identity : signer).sign(call);
    const calls = { sign, written: request.onWritten };
    const attributes = { 'colophon.media.type': mediaType };
    return (await inSpan('sign media', { attributes }, () =>
      runInTurn(deps, request, {
        memoryBytes: memoryForFile(task.path) + task.thumbnailBytes,
        canRestart: false,
        toOrder: async () => ({ task, calls }),
      }),
    )) as SignOutcome;
  } catch (error) {
    await rm(request.outputPath, { force: true });
    throw error;
  }
}

function openSigner(
  { algorithm, tsaUrl, ...credentials }: ManifestSigner,
  { fetch = globalThis.fetch }: MediaEngineOptions,
  names?: typeof OF_IDENTITY,
): CoseSigner {
  const checked = checkSigner(credentials, new Date(), names);
  const requestTimeStamp = tsaUrl === undefined ? undefined : createTimeStampClient(tsaUrl, fetch);
  return createCoseSigner(checked, { algorithm, requestTimeStamp });
}

/** A message to a thread must contain only JSON values. */
function toPlain(json: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(json)) as Record<string, unknown>;
}

function assertAvailable(available: MediaEngine['available']): void {
  if (available !== true)
    throw new ServiceError('Unavailable', `The media engine is not available: ${available.reason}`);
}

function assertAnchors({ trustAnchorsPem, identityAnchorsPem }: Partial<ReadRequest>): void {
  const unusable = Object.entries({
    trustAnchors: trustAnchorsPem,
    identityAnchors: identityAnchorsPem,
  }).find(([, pem]) => pem !== undefined && readCertificates(pem) === undefined);
  if (unusable === undefined) return;
  throw new ServiceError('ValidationError', 'The trust anchors are not PEM certificates.', {
    details: [{ path: unusable[0], message: 'not PEM certificates' }],
  });
}

function requireFormat(mediaType: string, use: 'read' | 'write'): MediaFormat {
  const format = findFormat(mediaType);
  if (format?.[use] === true) return format;
  const verb = use === 'read' ? 'read from' : 'written to';
  throw new ServiceError('Unsupported', `Manifests cannot be ${verb} ${mediaType}.`);
}
