import { type Logger, pino } from 'pino';
import type { BlobStore } from '../blobs/blob-store.js';
import { openDirectoryStore } from '../blobs/directory/directory-store.js';
import { createMemoryStore, HALF_OF_THE_REST } from '../blobs/memory-store.js';
import { createKuboPinner } from '../blobs/pinning/kubo.js';
import { createPinataPinner } from '../blobs/pinning/pinata.js';
import type { Pinner } from '../blobs/pinning/pinner.js';
import { openS3Store } from '../blobs/s3/open-s3-store.js';
import type { Config } from '../config.js';
import { createPinningSettings } from '../control/pinning-settings.js';
import { listProjectsOfOwners, readProjectOwner } from '../control/project-owners.sql.js';
import type { Database } from '../platform/db/database.js';
import { closeToOthers } from '../platform/files/private-files.js';
import type { PollInterval } from '../platform/jobs/poll-interval.js';
import { type JobRunner, startJobs } from '../platform/jobs/run-jobs.js';
import { createGuardedFetch, type GuardedFetch } from '../platform/net/guarded-fetch.js';
import { askSystem, createNameResolver } from '../platform/net/name-resolver.js';
import { createPinning, type Pinning } from '../records/pinning/create-pinning.js';
import { createPinJob } from '../records/pinning/pin-job.js';
import { createConfiguredSealer } from './control.js';

/** Removes the access of other users to `DATA_DIR`. */
export async function closeDataDirectory({ dataDirectory }: Config, logger: Logger): Promise<void> {
  if (dataDirectory === undefined) return;
  const { closed, shared } = await closeToOthers(dataDirectory);
  const warn = (places: string[], message: string) => {
    if (places.length > 0) logger.warn({ places: places.length, first: places[0] }, message);
  };
  warn(closed, 'other users of this machine could open these files in DATA_DIR until now');
  warn(shared, 'a group can open this: another user owns it, or DATA_DIR has files of other programs');
}

export function openBlobs({ blobs, maxUploadBytes }: Config, logger: Logger): Promise<BlobStore> {
  switch (blobs.kind) {
    case 'dir':
      return openDirectoryStore(blobs.directory);
    case 'memory':
      return Promise.resolve(createMemoryStore(blobs.capacityBytes, HALF_OF_THE_REST));
    case 's3':
      return openS3Store({
        ...blobs,
        maxContentBytes: maxUploadBytes,
        reportFailure: (err) => logger.warn({ err }, 'unfinished uploads in the bucket were not removed'),
      });
  }
}

/** Writes warnings to standard error. */
export function openBlobsOfCommand(config: Config): Promise<BlobStore> {
  return openBlobs(config, pino({ level: 'warn' }, pino.destination(2)));
}

/** Describes for operators how durable stored bytes are. */
export function describeBytes(
  { production, pinning }: Config,
  { durable }: BlobStore,
): { isImpaired: boolean; text: string } {
  if (durable) return { isImpaired: false, text: 'ok' };
  if (pinning.pinata !== undefined)
    return { isImpaired: false, text: 'ok (on Pinata, and cached in memory)' };
  return production
    ? {
        isImpaired: true,
        text: 'bytes are in memory and lost on restart, set DATA_DIR, S3_BUCKET or PINATA_JWT',
      }
    : { isImpaired: false, text: 'ok (in memory: lost on restart)' };
}

export function warnOfBytes(config: Config, blobs: BlobStore, logger: Logger): void {
  const { isImpaired, text } = describeBytes(config, blobs);
  if (isImpaired) logger.warn(text);
}

export function createPinners({ pinning: { pinata, kubo } }: Config): Pinner[] {
  return [
    ...(pinata === undefined ? [] : [createPinataPinner(pinata)]),
    ...(kubo === undefined ? [] : [createKuboPinner(kubo)]),
  ];
}

/** The `fetch` for addresses of projects. It rejects private ones, unless the operator trusts every project. */
export function openGuardedFetch({ allowPrivateAddresses }: Config): GuardedFetch {
  if (!allowPrivateAddresses) return createGuardedFetch();
  return createGuardedFetch({ isAllowed: () => true, resolver: createNameResolver({ askSystem }) });
}

const PIN_MAX_RUN_SECONDS = 6 * 60 * 60;
/** Maximum number of concurrent pins. It is high, because a pin mostly waits and needs little memory. */
const PINS_AT_ONCE = 32;
/** Maximum number of concurrent pins of a project. Its own pinning service may be slow or hostile. */
const PINS_AT_ONCE_OF_A_PROJECT = 2;
/** Maximum number of concurrent pins of a project while at least half of all slots (`PINS_AT_ONCE`) are in use. */
const PINS_AT_ONCE_WHEN_BUSY = 1;
/** Age at which the job runner may interrupt a pin, if all slots are in use and another owner has only waiting pins. */
const INTERRUPT_PIN_AFTER_MS = 5 * 60_000;

/** A pin may take hours, so pins have their own job runner and delay no other job. */
export function startPinJobs(
  deps: Parameters<typeof createPinJob>[0] & { control: Database },
  { logger, polls }: { logger: Logger; polls: PollInterval },
): JobRunner {
  return startJobs({
    db: deps.provenance,
    pace: polls,
    handlers: { pin: createPinJob(deps) },
    maxRunSeconds: PIN_MAX_RUN_SECONDS,
    concurrency: PINS_AT_ONCE,
    maxPerProject: PINS_AT_ONCE_OF_A_PROJECT,
    maxPerProjectWhenBusy: PINS_AT_ONCE_WHEN_BUSY,
    owners: {
      listProjects: (projectIds) => listProjectsOfOwners(deps.control, projectIds),
      readOwner: (projectId) => readProjectOwner(deps.control, projectId),
      interruptAfterMs: INTERRUPT_PIN_AFTER_MS,
    },
    reportFailure: (err, job) =>
      logger.warn({ err, job: job?.id, project: job?.projectId }, 'not pinned yet'),
  });
}

/** Reads the settings of projects at every call, without a cache. */
export function openPinning(config: Config, control: Database): Pinning & { close(): Promise<void> } {
  const guarded = openGuardedFetch(config);
  const settings = createPinningSettings(control, createConfiguredSealer(config), {
    confirm: async () => false,
  });
  const pinners = createPinners(config);
  const pinning = createPinning({ pinners, readSettings: settings.read, fetch: guarded.fetch });
  return { ...pinning, close: guarded.close };
}
