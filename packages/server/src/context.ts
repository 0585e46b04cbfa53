import type { Logger } from 'pino';
import type { FirstKeyHandover } from './access/first-key-handover.js';
import type { Config } from './config.js';
import type { App } from './http/app.js';
import type { UsageMeter } from './management/usage-meter.js';
import type { Databases } from './platform/db/open-databases.js';
import type { JobRunner } from './platform/jobs/run-jobs.js';
import type { RecordDeps } from './records/deps.js';

/** `close` closes the parts in the reverse order of their start. */
export interface Context {
  config: Config;
  logger: Logger;
  databases: Databases;
  records: RecordDeps;
  meter: UsageMeter;
  jobs: JobRunner;
  firstKeyHandover: FirstKeyHandover;
  app: App;
  /** The server on ADMIN_PORT; undefined when ADMIN_PORT is not set. */
  adminApp: App | undefined;
  close(): Promise<void>;
}
