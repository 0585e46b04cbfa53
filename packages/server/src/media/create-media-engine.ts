import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { ServiceError } from '../errors.js';
import type { WorkBudget } from '../work-budget.js';
import { findFormat, type MediaFormat } from './formats.js';
import { holdPictureLibrary } from './hold-picture-library.js';
import type { MediaEngine, ReadOutcome, ReadRequest, SignOutcome, SignRequest } from './media-engine.js';
import { memoryForFile, memoryForLargest } from './memory-need.js';
import type { PassTimes } from './pass-times.js';
import { readCertificates } from './signing/certificate.js';
import { checkSigner } from './signing/check-signer.js';
import { createCoseSigner } from './signing/cose-signer.js';
import { createTimeStampClient, type Fetch } from './signing/time-stamp.js';
import type { WorkerProgram } from './start-worker.js';
import type { SignTask } from './worker/protocol.js';
import { WorkerPool } from './worker-pool.js';

export interface MediaEngineOptions extends WorkerProgram {
  /** The largest media file, in bytes. Memory use is about five times the file. */
  maxBytes: number;
  /** How long one call may work, without its wait for a thread. */
  timeoutMs: number;
  threads: number;
  /** How much memory the process may take while one call works, in bytes; six largest files and 512 MiB when absent. */
  memoryBytes?: number;
  /** What the threads of all pools may take together; no bound when absent. */
  budget?: WorkBudget;
  /** How long a call waits for a thread; 10 s when absent. */
  maxWaitMs?: number;
  /** For time-stamps only; `globalThis.fetch` when absent. */
  fetch?: Fetch;
  /** Where the time of passes is added up. */
  times?: PassTimes;
}

/** Starts the engine; never rejects because the engine is missing (see `available`). */
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
    async sign(request) {
      assertAvailable(available);
      return signFile(request, { pool, options });
    },
    close: () => pool.close(),
  };
}

interface Needs {
  pool: WorkerPool;
  options: MediaEngineOptions;
}

async function readFile({ tenant, ...request }: ReadRequest, { pool, options }: Needs): Promise<ReadOutcome> {
  const { mediaType } = requireFormat(request.mediaType, 'read');
  assertAnchors(request.trustAnchorsPem);
  const { maxBytes } = options;
  const task = { ...request, kind: 'read', mediaType, maxBytes } as const;
  return (await pool.run({ task, tenant, memoryBytes: memoryForFile(request.path) })) as ReadOutcome;
}

async function signFile(request: SignRequest, { pool, options }: Needs): Promise<SignOutcome> {
  const { mediaType } = requireFormat(request.mediaType, 'write');
  assertAnchors(request.trustAnchorsPem);
  const { certificatePem, privateKeyPem, algorithm, tsaUrl } = request.signer;
  const checked = checkSigner(certificatePem, privateKeyPem, new Date());
  const requestTimeStamp =
    tsaUrl === undefined ? undefined : createTimeStampClient(tsaUrl, options.fetch ?? globalThis.fetch);
  const signer = createCoseSigner(checked, { algorithm, requestTimeStamp });
  if (existsSync(request.outputPath)) throw new Error(`${request.outputPath} exists already`);
  const task: SignTask = {
    kind: 'sign',
    path: request.path,
    outputPath: request.outputPath,
    mediaType,
    definition: toPlain(request.definition),
    ingredients: request.ingredients.map(({ json, path, mediaType: given }) => ({
      json: toPlain(json),
      path,
      mediaType: requireFormat(given, 'read').mediaType,
    })),
    thumbnail: request.thumbnail === true && (await holdPictureLibrary()),
    isUnsigned: request.isUnsigned === true,
    algorithm: signer.algorithm,
    reserveBytes: signer.reserveBytes,
    trustAnchorsPem: request.trustAnchorsPem,
    maxBytes: options.maxBytes,
  };
  try {
    const calls = { sign: signer.sign, written: request.onWritten };
    const memoryBytes = memoryForFile(request.path);
    return (await pool.run({ task, tenant: request.tenant, memoryBytes, calls })) as SignOutcome;
  } catch (error) {
    await rm(request.outputPath, { force: true });
    throw error;
  }
}

/** What JSON keeps of a value: a thread takes nothing else. */
function toPlain(json: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(json)) as Record<string, unknown>;
}

function assertAvailable(available: MediaEngine['available']): void {
  if (available !== true)
    throw new ServiceError('Unavailable', `The media engine is not available: ${available.reason}`);
}

function assertAnchors(pem: string | undefined): void {
  if (pem !== undefined && readCertificates(pem) === undefined)
    throw new ServiceError('ValidationError', 'The trust anchors are not PEM certificates.', {
      details: [{ path: 'trustAnchors', message: 'not PEM certificates' }],
    });
}

function requireFormat(mediaType: string, use: 'read' | 'write'): MediaFormat {
  const format = findFormat(mediaType);
  if (format?.[use] === true) return format;
  const verb = use === 'read' ? 'read from' : 'written to';
  throw new ServiceError('Unsupported', `Manifests cannot be ${verb} ${mediaType}.`);
}
