import type { Logger } from 'pino';
import { createAuthenticate } from './access/authenticate.js';
import { createFirstKeyHandover } from './access/first-key-handover.js';
import { createSignatureChecker } from './access/signatures/signature-checker.js';
import type { AnchoringPace } from './anchors/deps.js';
import type { BlobStore } from './blobs/blob-store.js';
import { createHashPool, type HashPool } from './blobs/hashing/hash-pool.js';
import type { Pinner } from './blobs/pinning/pinner.js';
import { openAnchoring } from './compose/anchoring.js';
import {
  closeDataDirectory,
  createPinners,
  openBlobs,
  openGuardedFetch,
  startPinJobs,
  warnOfBytes,
} from './compose/bytes.js';
import {
  createConfiguredSealer,
  createManagement,
  createPublicParts,
  openMeters,
  openRemembered,
  type Remembered,
} from './compose/control.js';
import { createDetector } from './compose/detector.js';
import { openLimits } from './compose/limits.js';
import {
  assertModelWorks,
  createMatching,
  startDescribingEarlier,
  warnOfLargeModel,
} from './compose/matching.js';
import { createCredentials } from './compose/media.js';
import { createReadiness, openIntegrityCheck } from './compose/readiness.js';
import { openReads } from './compose/reads.js';
import { createRecords, startRecordJobs } from './compose/records.js';
import { createSessions, type SignInPace } from './compose/sessions.js';
import { openTimestamps } from './compose/timestamps.js';
import { openTracing, traceDatabases } from './compose/tracing.js';
import { openLog } from './compose/transparency-log.js';
import { openWebhooks } from './compose/webhooks.js';
import { openWitnesses } from './compose/witnesses.js';
import type { Config } from './config.js';
import type { Context } from './context.js';
import type { Pace } from './http/app.js';
import { buildApps } from './http/build-app.js';
import { createLogger } from './http/middleware/log-requests.js';
import { createJsonReader } from './http/wire/json-reader.js';
import type { IntegritySettings } from './integrity/start-integrity-check.js';
import type { MediaEngineOptions } from './media/create-media-engine.js';
import { openDatabases } from './platform/db/open-databases.js';
import { sweepTemporaryDirectories } from './platform/files/temporary-directory.js';
import { createPollInterval } from './platform/jobs/poll-interval.js';
import type { JobHandler } from './platform/jobs/run-jobs.js';
import type { GuardedFetch } from './platform/net/guarded-fetch.js';
import { createScheduler, type WorkKind } from './platform/work/scheduler.js';
import { createConverter } from './records/conversion/converter.js';
import { createCopies } from './records/pinning/copies.js';
import { createPinning, type Pinning } from './records/pinning/create-pinning.js';
import { createReadThumbnail } from './records/thumbnails/read-thumbnail.js';

/** Parts that a test supplies instead of the configured ones. */
export interface Overrides {
  logger?: Logger;
  blobs?: BlobStore;
  jobHandlers?: Readonly<Record<string, JobHandler>>;
  pinners?: readonly Pinner[];
  /** Address of the Pinata API for projects with their own Pinata account. */
  pinataUrl?: string;
  hashing?: HashPool;
  pace?: Pace;
  readerPace?: Pace;
  probeAgeMs?: number;
  documentsFile?: URL;
  signInPace?: Partial<SignInPace>;
  slowDetectionMs?: number;
  media?: Partial<MediaEngineOptions>;
  anchoringPace?: Partial<AnchoringPace>;
  integrity?: Partial<IntegritySettings>;
  webhookRetrySeconds?: (attempt: number) => number;
}

/** Opens all configured parts. If one fails to open, closes the open parts and rejects. */
export async function createContext(config: Config, overrides: Overrides = {}): Promise<Context> {
  const logger = overrides.logger ?? createLogger(config.logLevel);
  const opened: (() => Promise<void>)[] = [];
  const keep = <Part extends { close(): Promise<void> }>(part: Part): Part => {
    opened.push(() => part.close());
    return part;
  };
  const close = async () => {
    for (const closeOne of opened.splice(0).reverse()) await closeOne();
  };
  try {
    keep(await openTracing(config, logger));
    await sweepTemporaryDirectories().catch((err) =>
      logger.warn({ err }, 'old temporary files were not removed'),
    );
    const infrastructure = await openInfrastructure(config, { ...overrides, logger }, keep);
    const { databases, recordReads, blobs, matching, scheduler, limits, sealer, guarded, remembered, polls } =
      infrastructure;
    const pinners = overrides.pinners ?? createPinners(config);
    const pinning = createProjectPinning({ ...overrides, pinners }, remembered, guarded);
    const { createHasher } = infrastructure.hashing;
    const converter = keep(createConverter());
    const copies = createCopies({ ...databases, ...pinning, blobs, createHasher, scheduler });
    const parts = { blobs, matching, scheduler, limits, converter, createHasher, copies };
    const checker = keep(createSignatureChecker());
    const records = createRecords(config, { ...databases, ...recordReads }, { ...parts, checker, logger });
    const credentials = createCredentials(config, databases.control, { ...overrides, sealer, scheduler });
    keep(credentials.engine);
    const { meter, detections, views } = keep(openMeters(databases.control, logger));
    const jobSettings = { logger, polls, more: overrides.jobHandlers, videoPlaces: config.work.places.video };
    const jobs = keep(startRecordJobs(records, jobSettings));
    keep(startDescribingEarlier(records, { jobs, logger }));
    keep(startPinJobs({ ...records, ...pinning, control: databases.control }, { logger, polls }));
    const webhooks = keep(openWebhooks(config, { ...overrides, ...infrastructure, logger }));
    const logs = keep(await openLog(config, { ...databases, ...parts, checker }, logger));
    const witnessing = openWitnesses(config, logs, logger);
    opened.push(async () => witnessing?.close());
    const anchoring = await openAnchoring(config, { ...databases, logger, pace: overrides.anchoringPace });
    opened.push(async () => anchoring?.close());
    keep(await openTimestamps(config, databases, logger));
    const integrity = keep(openIntegrityCheck(config, records, { logger, more: overrides.integrity }));
    const firstKeyHandover = createFirstKeyHandover();
    const control = { ...remembered, sealer, guarded, pinners, webhooks, meter };
    const management = createManagement(config, databases, control);
    const observed = { blobs, integrity, logs, anchoring, witnessing, limits, recordReads };
    const { app, adminApp } = await buildApps(
      {
        version: config.version,
        records,
        transparencyLog: logs,
        anchoring,
        witnessing,
        credentials,
        readThumbnail: createReadThumbnail(records),
        authenticate: createAuthenticate(remembered.staticPrincipals, remembered.keys),
        management,
        sessions: keep(await createSessions(config, { management, limits }, overrides.signInPace)),
        firstKeyHandover,
        ...createPublicParts(config, { control: databases.control, records, logs }),
        detector: createDetector(config, limits, overrides.slowDetectionMs),
        detections,
        views,
        limits: limits.windows,
        meter,
        changesHeard: remembered.heard,
        integrity,
        delivered: webhooks.counts,
        recordReads: recordReads.served,
        readiness: createReadiness(config, databases, observed),
        trustProxy: config.trustProxy,
        running: new Set(),
        polls,
        maxUploadBytes: config.maxUploadBytes,
        json: createJsonReader(config.maxJsonMembers),
        maxContents: config.work.maxContents,
        maxFormMs: config.maxFormMs,
        provenanceKitRoutes: config.provenanceKitRoutes,
        ...toAppOverrides(overrides),
      },
      { logger, adminApart: config.adminPort !== undefined },
    );
    // Closes these parts in parallel, because an open request may wait for an anchor until `anchoring` closes.
    opened.push(async () => void (await Promise.all([app.close(), adminApp?.close(), anchoring?.close()])));
    return { config, logger, databases, records, meter, jobs, firstKeyHandover, app, adminApp, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function toAppOverrides({ pace, readerPace, probeAgeMs, documentsFile }: Overrides) {
  return {
    ...(documentsFile === undefined ? {} : { documentsFile }),
    ...(pace === undefined ? {} : { pace }),
    ...(readerPace === undefined ? {} : { readerPace }),
    ...(probeAgeMs === undefined ? {} : { probeAgeMs }),
  };
}

async function openInfrastructure(
  config: Config,
  { logger, ...overrides }: Overrides & { logger: Logger },
  keep: <Part extends { close(): Promise<void> }>(part: Part) => Part,
) {
  await closeDataDirectory(config, logger);
  const opened = await openDatabases(config.store, (err) => logger.error({ err }, err.message));
  const databases = traceDatabases(config, keep(opened));
  const recordReads = keep(openReads(config, databases.provenance, logger));
  const blobs = keep(overrides.blobs ?? (await openBlobs(config, logger)));
  warnOfBytes(config, blobs, logger);
  const limits = keep(await openLimits(config, logger));
  const { provenance } = databases;
  const { owners, requests, hasOtherOwners } = limits.windows;
  // The embedded database runs one statement at a time. On PostgreSQL, only these two kinds hold up other projects.
  const isContended = (projectId: string, kind: WorkKind) =>
    (provenance.engine === 'pglite' || kind === 'bulk' || kind === 'history') &&
    requests.hasOthers(projectId);
  const scheduler = createScheduler({
    ...config.work,
    isContended,
    hasOtherOwners,
    ownerOf: owners.ownerOf,
  });
  const hashing = keep(overrides.hashing ?? createHashPool({ threads: config.work.hashThreads }));
  const matching = createMatching(config.search, { provenance, logger });
  keep(matching.pool);
  await assertModelWorks(matching, config.search);
  warnOfLargeModel(matching, config.work.memoryBytes, logger);
  keep(matching.index);
  const sealer = createConfiguredSealer(config);
  const guarded = keep(openGuardedFetch(config));
  const remembered = await openRemembered(config, databases.control, { sealer, logger });
  keep(remembered.listener);
  const polls = createPollInterval();
  return {
    databases,
    recordReads,
    blobs,
    hashing,
    matching,
    scheduler,
    limits,
    sealer,
    guarded,
    remembered,
    polls,
  };
}

/** A project without its own pinning service uses the configured services. */
function createProjectPinning(
  { pinners, pinataUrl }: Overrides & { pinners: readonly Pinner[] },
  { pinning }: Remembered,
  { fetch }: GuardedFetch,
): Pinning {
  return createPinning({ pinners, readSettings: pinning.read, fetch, pinataUrl });
}
