import type { Database } from '../platform/db/database.js';
import { type CountMeter, type CountMeterOptions, createCountMeter } from './count-meter.js';
import { addDetections, type DetectionCount } from './detections.sql.js';

/** A finding of the public detector, and the project whose publication it found. */
export type DetectorFinding = Pick<DetectionCount, 'projectId' | 'layer' | 'confidence'>;

/** Counts the findings of the public detector. */
export type DetectionMeter = CountMeter<DetectorFinding>;

/**
 * Starts the meter of the detector. The counts need little memory: the detector has few findings per second, and none
 * while the database is unavailable.
 */
export function createDetectionMeter(control: Database, options: CountMeterOptions): DetectionMeter {
  const meter = createCountMeter<DetectorFinding & { day: string }>(
    ({ counts, ...batch }) =>
      addDetections(control, {
        ...batch,
        counts: counts.map(({ count, ...finding }) => ({ ...finding, findings: count })),
      }),
    options,
  );
  return {
    ...meter,
    count: (finding) => meter.count({ ...finding, day: new Date().toISOString().slice(0, 10) }),
  };
}
