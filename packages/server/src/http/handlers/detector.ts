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

export interface Detector {
  maxBytes: number;
  perMinute: number;
  byAddress: Limiter;
  openByAddress: OpenUnits;
  /** Limits the concurrent files of all addresses, from the upload to the end of the examination. */
  files: FilePlaces;
  /** Limits the concurrent examinations. Addresses or networks take turns. */
  limitWork: FairLimit;
  /** Findings of this process. The layer `none` counts files without a mark. */
  counts: LabelledCounts<'layer' | 'confidence'>;
}

/** Tenant of the detector in the fair queue. No project has this id. */
export const DETECTOR_TENANT = 'public-detector';
/** Maximum number of projects in one search. Owners take turns, the oldest project of each owner first. */
export const MAX_DETECTED_PROJECTS = 100;
/** Time limit of a detection, including its wait. */
const MAX_WAIT_MS = 30_000;

/** Throws `NotFound` without PUBLIC_DETECTOR. */
export function requireDetector({ detector }: { detector: Detector | undefined }): Detector {
  if (detector !== undefined) return detector;
  throw new ServiceError('NotFound', 'This service has no public detector.', {
    recovery: 'Ask its operator to set PUBLIC_DETECTOR=true.',
  });
}

/** Counts a detection in progress of an address or network until `end`. Throws 429 at the limit. */
export function openDetection({ openByAddress }: Detector, { ip }: FastifyRequest): { end(): void } {
  const open = openByAddress.begin(networkOf(ip));
  if (open !== undefined) return open;
  const message = `This address has ${openByAddress.limit} detections in progress.`;
  throw new ServiceError('TooManyRequests', message, {
    headers: { 'retry-after': '1' },
    recovery: 'Send the request again after one of these detections has ended.',
  });
}

interface FileToExamine<Received extends { discard(): Promise<void> }, Result> {
  receive(): Promise<Received>;
  examine(received: Received): Promise<Result>;
}

/** Counts as one detection of the address or network until the file is discarded. */
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

/** `gone` aborts when the caller has disconnected. */
export interface Visitor {
  address: string;
  gone: AbortSignal;
}

export function visitorOf({ request, reply }: { request: FastifyRequest; reply: FastifyReply }): Visitor {
  return { address: request.ip, gone: signalOfCaller(reply) };
}

/**
 * Runs `detect` at the turn of the visitor's address. Rejects with `Unavailable` after 30 s, and with the reason of
 * `gone` when it aborts.
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
