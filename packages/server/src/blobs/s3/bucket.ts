import type { S3Client } from '@aws-sdk/client-s3';
import { ServiceError } from '../../errors.js';
import { ThreadedSha256 } from './threaded-sha256.js';

export interface S3Location {
  /** Amazon's address of the region by default. */
  endpoint: string | undefined;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Loaded only when a bucket is configured, because loading takes 0.2 s. */
export type S3Library = typeof import('@aws-sdk/client-s3');

export interface Bucket {
  library: S3Library;
  client: S3Client;
  name: string;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** Maximum time without a byte from the service during a request. */
const SILENCE_TIMEOUT_MS = 60_000;
const MAX_ATTEMPTS = 4;
/**
 * A response keeps its socket until its reader has all bytes. The readers of one project, at most 256 by default
 * (`MAX_PROJECT_REQUESTS`), must not occupy all sockets.
 */
const MAX_SOCKETS = 1_024;

export async function openBucket(place: S3Location): Promise<Bucket> {
  const library = await import('@aws-sdk/client-s3');
  const { endpoint, region, accessKeyId, secretAccessKey } = place;
  const client = new library.S3Client({
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    region,
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: SILENCE_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: MAX_SOCKETS },
      httpsAgent: { maxSockets: MAX_SOCKETS },
    },
    // The signature of the request covers the SHA-256 of the body. The library's own checksums change the framing of a
    // body, and some services store that framing as content.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    sha256: ThreadedSha256,
  });
  return { library, client, name: place.bucket };
}

/** Returns undefined when the service responds that the object does not exist. */
export async function ifPresent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isAnswer(error, 404) && nameOf(error) !== 'NoSuchBucket') return undefined;
    throw toOutage(error);
  }
}

/** Reports every failure as an outage of the store. */
export async function withOutageError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw toOutage(error);
  }
}

interface S3Failure extends Error {
  $metadata?: { httpStatusCode?: number };
}

export function isAnswer(error: unknown, ...statuses: number[]): boolean {
  const { $metadata } = Object(error) as Partial<S3Failure>;
  return $metadata?.httpStatusCode !== undefined && statuses.includes($metadata.httpStatusCode);
}

/** Keeps only the message of the error, because the error contains complete requests with their signatures. */
export function toOutage(error: unknown): ServiceError {
  const { name = '', message = String(error), $metadata } = Object(error) as Partial<S3Failure>;
  const cause = new Error(`S3: ${name}: ${message} (status ${$metadata?.httpStatusCode ?? 'none'})`);
  return new ServiceError('Unavailable', 'The store of bytes is not available now.', {
    recovery: 'Try again later; the operator finds the cause in the log and at /readyz.',
    cause,
  });
}

function nameOf(error: unknown): string | undefined {
  return error instanceof Error ? error.name : undefined;
}
