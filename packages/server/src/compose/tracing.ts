import type { Logger } from 'pino';
import type { Config } from '../config.js';
import type { Databases } from '../platform/db/open-databases.js';
import { traceDatabase } from '../platform/db/trace-database.js';
import { startTracing } from '../platform/tracing/start-tracing.js';

export async function openTracing(
  { tracing, version }: Config,
  logger: Logger,
): Promise<{ close(): Promise<void> }> {
  if (tracing === undefined) return { close: async () => {} };
  const reportFailure = (reason: string) => logger.warn({ reason }, 'spans were not sent');
  return startTracing({ ...tracing, version, reportFailure });
}

/** If tracing is on, each SQL statement creates a span. */
export function traceDatabases({ tracing }: Config, databases: Databases): Databases {
  if (tracing === undefined) return databases;
  const { control, provenance } = databases;
  const traced = traceDatabase(control);
  return {
    ...databases,
    control: traced,
    provenance: provenance === control ? traced : traceDatabase(provenance),
  };
}
