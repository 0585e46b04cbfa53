import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { createLookForKey, enrolStaticKeys, type StaticPrincipals } from '../access/authenticate.js';
import { createKeyCache, type KeyCache } from '../access/key-cache.js';
import { createIsSecret } from '../access/secret-token.js';
import type { Pinner } from '../blobs/pinning/pinner.js';
import type { Config } from '../config.js';
import { CHANGE_CHANNEL, type ChangedProjects, parseChangeNotice } from '../control/changes.sql.js';
import { createPinningSettings, type PinningSettingsCache } from '../control/pinning-settings.js';
import { hasPublicLog } from '../control/public-logs.sql.js';
import { createSealer, type Sealer } from '../control/seal-secret.js';
import { watchChanges } from '../control/watch-changes.js';
import type { AppDeps } from '../http/app.js';
import { createDetectionMeter, type DetectionMeter } from '../management/detection-meter.js';
import { createEnrolUser } from '../management/enrol-user.js';
import { createProjectTotals } from '../management/project-totals.js';
import { createUsageMeter, type UsageMeter } from '../management/usage-meter.js';
import { createViewMeter, type ViewMeter } from '../management/view-meter.js';
import type { Database } from '../platform/db/database.js';
import { type Listener, listen } from '../platform/db/listen.js';
import type { Databases } from '../platform/db/open-databases.js';
import type { GuardedFetch } from '../platform/net/guarded-fetch.js';
import { createFairLimit, createGroupedLimit } from '../platform/work/limit-concurrency.js';
import type { RecordDeps } from '../records/deps.js';
import { createPublishing, type Publishing } from '../records/publishing/create-publishing.js';
import type { HistoryDeps } from '../records/read/read-histories.js';
import type { TransparencyLogDeps } from '../transparency-log/deps.js';
import { createPublicLogs, type PublicLogs } from '../transparency-log/public-logs.js';
import { toNetwork } from './anchoring.js';
import type { Webhooks } from './webhooks.js';

export interface Remembered {
  staticPrincipals: StaticPrincipals;
  keys: KeyCache;
  pinning: PinningSettingsCache;
  /** `listen`: notifications about changes. `poll`: polls that found a change. */
  heard: { listen: number; poll: number };
  /** Clears the cache entries of these projects (default: all) on this node. */
  forget(projectIds?: ChangedProjects): void;
  listener: Listener;
}

/** A change of the control plane by any node clears the cache entries of the changed projects. */
export async function openRemembered(
  config: Config,
  control: Database,
  { sealer, logger }: { sealer: Sealer | undefined; logger: Logger },
): Promise<Remembered> {
  const heard = { listen: 0, poll: 0 };
  const forget = (projectIds?: ChangedProjects) => {
    keys.clear(projectIds);
    pinning.clear(projectIds);
  };
  const hear = (by: keyof typeof heard) => (projectIds: ChangedProjects) => {
    heard[by]++;
    forget(projectIds);
  };
  const staticPrincipals = await enrolStaticKeys(control, config.staticKeys);
  const watch = watchChanges(control, hear('poll'), {
    reportFailure: (err) => logger.error({ err }, 'cannot poll for changes; every request looks up its key'),
  });
  const keys = createKeyCache(createLookForKey(control, staticPrincipals), watch);
  const pinning = createPinningSettings(control, sealer, watch);
  const listener = listenForChanges(config, hear('listen'), logger);
  return { staticPrincipals, keys, pinning, heard, forget, listener };
}

/** Notifications need a direct connection to PostgreSQL. Without it, polling finds the changes later. */
function listenForChanges(
  { store }: Config,
  onChange: (projectIds: ChangedProjects) => void,
  logger: Logger,
): Listener {
  if (store.kind !== 'postgresql' || store.directUrl === undefined) return { close: async () => {} };
  const onNotice = (payload: string) => onChange(parseChangeNotice(payload));
  return listen({ url: store.directUrl, channel: CHANGE_CHANNEL }, onNotice, (err) =>
    logger.warn({ err }, 'cannot listen for changes; polling instead'),
  );
}

/** Without SECRETS_KEY, a service that stores data in memory creates a key, which also ends with the process. */
export function createConfiguredSealer({ management: { secretsKey }, store }: Config): Sealer | undefined {
  if (secretsKey !== undefined) return createSealer(Buffer.from(secretsKey, 'base64'));
  return store.kind === 'memory' ? createSealer(randomBytes(32)) : undefined;
}

/** The counters write to the control plane at intervals, not for each request. */
export function openMeters(
  control: Database,
  logger: Logger,
): { meter: UsageMeter; detections: DetectionMeter; views: ViewMeter; close(): Promise<void> } {
  const reporting = (message: string) => ({
    reportFailure: (err: unknown) => logger.error({ err }, message),
  });
  const meter = createUsageMeter(control, reporting('usage was not written'));
  const detections = createDetectionMeter(control, reporting('counts of detections were not written'));
  const views = createViewMeter(control, reporting('counts of views were not written'));
  const close = async () => void (await Promise.all([meter.close(), detections.close(), views.close()]));
  return { meter, detections, views, close };
}

/** Limits anonymous readers, so that callers with a key have most of the database connections. */
const PUBLIC_READS = { atOnce: 2, waiting: 200, waitingOfOne: 16 };
/** A read first waits in the queue of its log, and then in the queue of all logs. */
const READS_OF_LOG = { ...PUBLIC_READS, waiting: 100 };

export function createPublicParts(
  { publicLogs }: Config,
  {
    control,
    records,
    logs,
  }: {
    control: Database;
    records: Pick<RecordDeps, keyof HistoryDeps | 'converter' | 'blobs' | 'copies' | 'matching'>;
    logs: TransparencyLogDeps;
  },
): { publishing: Publishing; publicLogs: PublicLogs } {
  const isPublic = async (projectId: string) =>
    publicLogs !== 'off' && hasPublicLog(control, projectId, { isForAll: publicLogs === 'all' });
  return {
    publishing: createPublishing({
      ...records,
      transparencyLog: logs,
      limitConcurrency: createFairLimit(PUBLIC_READS),
    }),
    publicLogs: createPublicLogs({
      logs,
      isPublic,
      limitConcurrency: createFairLimit(PUBLIC_READS),
      limitReads: createGroupedLimit({ all: PUBLIC_READS, ofGroup: READS_OF_LOG }),
    }),
  };
}

/**
 * `ofGroup` limits an owner of organisations, and `ofPart` one organisation or project. Four is less than the default
 * number of database connections. The waiting requests of all owners have no common limit, so no owner fills the queue
 * of others.
 */
function createControlLimits({ maxWaitMs }: Config['work']) {
  const wait = {
    maxWaitMs,
    message: `Too many such requests wait, or this request waited more than ${maxWaitMs} ms (WORK_MAX_WAIT_MS).`,
  };
  return {
    limitConcurrency: createGroupedLimit({
      all: { atOnce: 4, ...wait },
      ofGroup: { atOnce: 2, waiting: 100, waitingOfOne: 50, ...wait },
      ofPart: { atOnce: 1, waiting: 100, waitingOfOne: 50, ...wait },
    }),
    limitLists: createGroupedLimit({
      all: { atOnce: 4, ...wait },
      ofGroup: { atOnce: 2, waiting: 100, waitingOfOne: 50, ...wait },
      ofPart: { atOnce: 1, waiting: 100, ...wait },
    }),
    limitReports: createGroupedLimit({
      all: { atOnce: 2, ...wait },
      ofGroup: { atOnce: 1, waiting: 100, ...wait },
      ofPart: { atOnce: 1, waiting: 50, waitingOfOne: 16, ...wait },
    }),
  };
}

export function createManagement(
  config: Config,
  { control, provenance }: Pick<Databases, 'control' | 'provenance'>,
  parts: Remembered & {
    sealer: Sealer | undefined;
    guarded: GuardedFetch;
    pinners: readonly Pinner[];
    webhooks: Webhooks;
    meter: UsageMeter;
  },
): AppDeps['management'] {
  return {
    isSecret: toCheck(config.management.secret),
    isMetricsToken: toCheck(config.metricsToken),
    enrolUser: createEnrolUser(control),
    deps: {
      control,
      staticPrincipals: parts.staticPrincipals,
      forgetRemembered: parts.forget,
      ...createControlLimits(config.work),
      sealer: parts.sealer,
      mayReach: parts.guarded.mayReach,
      pinsByDefault: parts.pinners.length > 0,
      webhooks: parts.webhooks.desk,
      totals: createProjectTotals({ control, provenance }, parts.meter),
      limits: config.management.limits,
      publicUrl: config.publicUrl,
    },
    network: toNetwork(config),
  };
}

function toCheck(secret: string | undefined) {
  return secret === undefined ? undefined : createIsSecret(secret);
}
