import type { Logger } from 'pino';
import type { TimestampingParts } from '../anchors/timestamps/start-timestamping.js';
import type { Config } from '../config.js';

/** Loads the code for time-stamps only when the configuration names an authority. */
export async function openTimestamps(
  { timestamping }: Config,
  { provenance, control }: Pick<TimestampingParts, 'provenance' | 'control'>,
  logger: Logger,
): Promise<{ close(): Promise<void> }> {
  if (timestamping === undefined) return { close: async () => {} };
  const { startTimestamping } = await import('../anchors/timestamps/start-timestamping.js');
  return startTimestamping(timestamping, {
    provenance,
    control,
    report(trouble) {
      if (trouble === undefined) logger.info('the logs are time-stamped again');
      else logger.warn({ err: trouble }, `time-stamping failed, and is retried: ${trouble.message}`);
    },
  });
}
