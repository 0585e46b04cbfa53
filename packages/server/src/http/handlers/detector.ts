import type { Limiter } from '../../access/limiter.js';
import type { OpenUnits } from '../../access/open-units.js';
import type { LabelledCounts } from '../../platform/tracing/labelled-counts.js';
import type { LimitConcurrency } from '../../platform/work/limit-concurrency.js';

/** Limits and counts of the public detector. */
export interface Detector {
  /** Maximum size of a file. */
  maxBytes: number;
  /** Limits the requests of one address or network. */
  byAddress: Limiter;
  /** Limits the concurrent files of one address or network. */
  openByAddress: OpenUnits;
  /** Limits the concurrent files of all addresses, from the upload to the end of the examination. */
  limitFiles: LimitConcurrency;
  /** Limits the concurrent examinations. */
  limitWork: LimitConcurrency;
  /** Findings of this process. The layer `none` counts files without a mark. */
  counts: LabelledCounts<'layer' | 'confidence'>;
}
