import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Limiter } from '../../access/limiter.js';
import type { OpenUnits } from '../../access/open-units.js';
import { ServiceError } from '../../errors.js';
import { networkOf } from '../../platform/net/client-address.js';
import type { LabelledCounts } from '../../platform/tracing/labelled-counts.js';
import type { FairLimit } from '../../platform/work/limit-concurrency.js';
import { BUSY, withinLimit } from '../../platform/work/within-limit.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { cutBody } from '../wire/cut-body.js';
import type { FilePlaces } from './file-places.js';

/** Limits and counts of the public detector. */
export interface Detector {
  /** Maximum size of a file. */
  maxBytes: number;
  /** Maximum number of requests of one address in a minute. */
  perMinute: number;
  /** Limits the requests of one address or network. */
  byAddress: Limiter;
  /** Limits the concurrent files of one address or network. */
  openByAddress: OpenUnits;
  /** Limits the concurrent files of all addresses, from the upload to the end of the examination. */
  files: FilePlaces;
  /** Limits the concurrent examinations. The addresses or networks of the callers take turns. */
  limitWork: FairLimit;
  /** Findings of this process. The layer `none` counts files without a mark. */
  counts: LabelledCounts<'layer' | 'confidence'>;
}

/** The tenant of the detector in the fair queue. No project has this id. */
export const DETECTOR_TENANT = 'public-detector';
/**
 * Maximum number of projects in one search. If more projects have publications, the search first takes the oldest
 * project of each owner, then the second of each owner, and so on.
 */
export const MAX_DETECTED_PROJECTS = 100;
/** Time limit of a detection, including its wait behind work of projects and earlier detections. */
const MAX_WAIT_MS = 30_000;

/** Throws `NotFound` without PUBLIC_DETECTOR. */
export function requireDetector({ detector }: { detector: Detector | undefined }): Detector {
  if (detector !== undefined) return detector;
  throw new ServiceError('NotFound', 'This service has no public detector.', {
    recovery: 'Ask its operator to set PUBLIC_DETECTOR=true.',
  });
}

/**
 * Adds a detection to the count of the client's address or network, and removes it when `end` is called. Throws 429 if
 * this client already has the maximum number of detections in progress.
 */
export function openDetection({ openByAddress }: Detector, { ip }: FastifyRequest): { end(): void } {
  const open = openByAddress.begin(networkOf(ip));
  if (open !== undefined) return open;
  const message = `This address has ${openByAddress.limit} detections in progress.`;
  throw new ServiceError('TooManyRequests', message, {
    headers: { 'retry-after': '1' },
    recovery: 'Send the request again after one of these detections has ended.',
  });
}

/** Functions that receive and examine a file. */
interface FileToExamine<Received extends { discard(): Promise<void> }, Result> {
  receive(): Promise<Received>;
  examine(received: Received): Promise<Result>;
}

/** Receives, examines and discards a file. Meanwhile, it counts as one detection of the caller's address or network. */
export async function examineFile<Received extends { discard(): Promise<void> }, Result>(
  detector: Detector,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { receive, examine }: FileToExamine<Received, Result>,
): Promise<Result> {
  const open = openDetection(detector, request);
  try {
    const place = detector.files.take((error) => cutBody(request, reply, error));
    try {
      const received = await receive();
      place.arrived();
      return await examine(received).finally(received.discard);
    } finally {
      place.end();
    }
  } finally {
    open.end();
  }
}

/** The caller of a detection. `gone` aborts when the caller has disconnected. */
export interface Visitor {
  address: string;
  gone: AbortSignal;
}

export function visitorOf({ request, reply }: { request: FastifyRequest; reply: FastifyReply }): Visitor {
  return { address: request.ip, gone: signalOfCaller(reply) };
}

/**
 * Runs `detect` when the turn of the visitor's address comes. Rejects with `Unavailable` after 30 s. When `gone`
 * aborts, rejects with the reason of `gone`.
 */
export function runDetection<Result>(
  { limitWork }: Pick<Detector, 'limitWork'>,
  { address, gone }: Visitor,
  detect: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return withinLimit({ ...BUSY, signal: gone, limitMs: MAX_WAIT_MS }, (signal) =>
    limitWork(networkOf(address), () => detect(signal), signal),
  );
}
