import type { Limiter } from '../../access/limiter.js';
import type { OpenUnits } from '../../access/open-units.js';
import type { LabelledCounts } from '../../platform/tracing/labelled-counts.js';
import type { LimitConcurrency } from '../../platform/work/limit-concurrency.js';

/** Limits and counts of the public detector. */
export interface Detector {
  /** Maximum size of a file. */
  maxBytes: number;
  /** Requests of one address or network. */
  byAddress: Limiter;
  /** Files of one address or network that are received or examined. */
  openByAddress: OpenUnits;
  /** Files that are received or examined. */
  limitFiles: LimitConcurrency;
  /** Files that are examined. */
  limitWork: LimitConcurrency;
  /** Findings of this process. The layer `none` counts files without a mark. */
  counts: LabelledCounts<'layer' | 'confidence'>;
}
