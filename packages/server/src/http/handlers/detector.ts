import type { DetectionLayer } from '@colophon/model';
import type { Limiter } from '../../access/limiter.js';
import type { OpenUnits } from '../../access/open-units.js';
import type { LimitConcurrency } from '../../management/limit-concurrency.js';

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
  counts: DetectionCounts;
}

/** Counts the findings of this process, by layer and confidence; `none` when a file has no mark. */
export interface DetectionCounts {
  add(layers: readonly DetectionLayer[]): void;
  read(): { layer: string; confidence: string; count: number }[];
}

export function createDetectionCounts(): DetectionCounts {
  const counts = new Map<string, { layer: string; confidence: string; count: number }>();
  const increase = (layer: string, confidence: string) => {
    const name = `${layer} ${confidence}`;
    counts.set(name, { layer, confidence, count: (counts.get(name)?.count ?? 0) + 1 });
  };
  return {
    add(layers) {
      if (layers.length === 0) increase('none', 'none');
      for (const { kind, confidence } of layers) increase(kind, confidence);
    },
    read: () => [...counts.values()],
  };
}
