import { createOpenUnits } from '../access/open-units.js';
import type { Config } from '../config.js';
import type { Detector } from '../http/handlers/detector.js';
import { createFilePlaces } from '../http/handlers/file-places.js';
import { createLabelledCounts } from '../platform/tracing/labelled-counts.js';
import { createFairLimit } from '../platform/work/limit-concurrency.js';
import type { OpenLimits } from './limits.js';

/** Maximum number of files on disk, from the upload to the end of the examination. */
const FILES = 8;
/** If all places are taken, a new file takes the place of the oldest upload that has lasted longer than this. */
const SLOW_MS = 10_000;
/** Maximum number of concurrent files of one address, so that other addresses find places. */
const FILES_OF_ADDRESS = 2;
/** One file at a time, so that visitors use only a small part of the capacity. */
const WORK = { atOnce: 1, waiting: 8, waitingOfOne: FILES_OF_ADDRESS };

/** Returns undefined without PUBLIC_DETECTOR. */
export function createDetector(
  { detector }: Pick<Config, 'detector'>,
  limits: Pick<OpenLimits, 'create'>,
  slowMs = SLOW_MS,
): Detector | undefined {
  if (detector === undefined) return undefined;
  const { perMinute, maxBytes } = detector;
  return {
    maxBytes,
    perMinute,
    byAddress: limits.create('detector', { perMinute, burst: 0 }),
    openByAddress: createOpenUnits(FILES_OF_ADDRESS),
    files: createFilePlaces({ places: FILES, slowMs }),
    limitWork: createFairLimit(WORK),
    counts: createLabelledCounts(),
  };
}
