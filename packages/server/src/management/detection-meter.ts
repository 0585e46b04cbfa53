import type { Database } from '../platform/db/database.js';
import { type CountMeter, type CountMeterOptions, createCountMeter } from './count-meter.js';
import { addDetections, type DetectionCount } from './detections.sql.js';

/** A finding of the public detector, and the project whose publication it found. */
export type DetectorFinding = Pick<DetectionCount, 'projectId' | 'layer' | 'confidence'>;

export type DetectionMeter = CountMeter<DetectorFinding>;

/** The counts need little memory, because the detector has few findings per second. */
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
