import { type Logger, pino } from 'pino';
import { createAuthenticate } from './access/authenticate.js';
import { createSigner, createVerifySignature } from './access/ed25519.js';
import { createKeyOffer } from './access/key-offer.js';
import { createIsSecret } from './access/management-secret.js';
import type { Sealer } from './access/seal-secret.js';
import type { AnchoringPace } from './anchors/needs.js';
import type { Anchoring } from './anchors/start-anchoring.js';
import type { BlobStore } from './blobs/blob-store.js';
import { createHashPool, type HashPool } from './blobs/hashing/hash-pool.js';
import type { Pinner } from './blobs/pinning/pinner.js';
import { anchoringReadiness, openAnchoring, toNetwork } from './compose-anchoring.js';
import { createPinners, openBlobs, openGuardedFetch, startPinJobs } from './compose-bytes.js';
import {
  createConfiguredSealer,
  createPublicParts,
  openRemembered,
  type Remembered,
} from './compose-control.js';
import { type OpenLimits, openLimits } from './compose-limits.js';
import { logReadiness, openLog } from './compose-log.js';
import { createMatching, createMatchingHandlers, startDescribingEarlier } from './compose-matching.js';
import { createCredentials } from './compose-media.js';
import { createSessions, type SignInPace } from './compose-sessions.js';
import { openWebhooks, type Webhooks } from './compose-webhooks.js';
import type { Config } from './config.js';
import type { Context } from './context.js';
import type { Database } from './db/database.js';
import { type Databases, openDatabases, ping } from './db/open-databases.js';
import type { AppNeeds, Pace, Readiness } from './http/app.js';
import { buildApp } from './http/build-app.js';
import { type JobHandler, type JobRunner, startJobs } from './jobs/run-jobs.js';
import type { LogNeeds } from './log/needs.js';
import { createEnrolUser } from './management/enrol-user.js';
import { createTurns } from './management/take-turns.js';
import { createUsageMeter } from './management/usage-meter.js';
import type { MediaEngineOptions } from './media/create-media-engine.js';
import { sweepMediaDirectories } from './media/media-directory.js';
import type { GuardedFetch } from './net/guarded-fetch.js';
import { readAuditState } from './records/audit/read-audit-state.js';
import { type AuditSettings, startAudit } from './records/audit/start-audit.js';
import { createPinning, type Pinning } from './records/create-pinning.js';
import { createIdentifyEntity } from './records/entity-ids.js';
import type { Proofs, RecordNeeds } from './records/needs.js';
import { createRecorder } from './records/recorder.js';
import { adoptVectorIndex, readVectorSearch } from './search/descriptors.sql.js';
import { createWorkBudget } from './work-budget.js';

/** Parts that a test may bring along instead of those that the configuration names. */
export interface Overrides {
  log?: Logger;
  blobs?: BlobStore;
  jobHandlers?: Readonly<Record<string, JobHandler>>;
  pinners?: readonly Pinner[];
  /** Where projects with a Pinata account of their own are served. */
  pinataUrl?: string;
  hashing?: HashPool;
  pace?: Pace;
  signInPace?: Partial<SignInPace>;
  media?: Partial<MediaEngineOptions>;
  anchoringPace?: Partial<AnchoringPace>;
  audit?: Partial<AuditSettings>;
  webhookRetrySeconds?: (attempt: number) => number;
}

/** Opens everything that the configuration names. When a part fails to open, those before it are closed again. */
export async function createContext(config: Config, overrides: Overrides = {}): Promise<Context> {
  const log = overrides.log ?? pino({ level: config.logLevel });
  const opened: (() => Promise<void>)[] = [];
  const keep = <Part extends { close(): Promise<void> }>(part: Part): Part => {
    opened.push(() => part.close());
    return part;
  };
  const close = async () => {
    for (const closeOne of opened.splice(0).reverse()) await closeOne();
  };
  try {
    await sweepMediaDirectories().catch((err) => log.warn({ err }, 'old temporary files were not removed'));
    const databases = keep(await openDatabases(config.store));
    await adoptVectorIndex(databases.provenance);
    const blobs = keep(overrides.blobs ?? (await openBlobs(config, log)));
    const budget = createWorkBudget(config.work);
    const hashing = keep(overrides.hashing ?? createHashPool({ threads: config.work.hashThreads }));
    const matching = createMatching(config.search, budget);
    keep(matching.pool);
    const limits = keep(openLimits(config, log));
    const sealer = createConfiguredSealer(config);
    const guarded = keep(openGuardedFetch(config));
    const remembered = await openRemembered(config, databases.control, { sealer, log });
    keep(remembered.listener);
    const pinners = overrides.pinners ?? createPinners(config);
    const pinning = createProjectPinning({ ...overrides, pinners }, remembered, guarded);
    const parts = { blobs, matching, createHasher: hashing.createHasher, pinProviders: pinning.providersOf };
    const records = createRecords(config, databases.provenance, { ...parts, log });
    const engine = { budget, ...overrides.media };
    const credentials = createCredentials(config, databases.control, { sealer, engine });
    keep(credentials.engine);
    const reportFailure = (err: unknown) => log.error({ err }, 'usage was not written');
    const meter = keep(createUsageMeter(databases.control, { reportFailure }));
    const jobs = keep(startRecordJobs(records, { log, more: overrides.jobHandlers }));
    keep(startDescribingEarlier(records, { jobs, log }));
    keep(startPinJobs({ ...records, ...pinning }, log));
    const named = { sealer, guarded };
    const webhooks = keep(openWebhooks(config, { ...overrides, ...named, databases, log }));
    const logs = await openLog(config, databases.provenance, log);
    const anchoring = await openAnchoring(config, {
      ...databases,
      originOf: logs.originOf,
      log,
      pace: overrides.anchoringPace,
    });
    opened.push(async () => anchoring?.close());
    const audit = keep(openAudit(config, records, { log, more: overrides.audit }));
    const keyOffer = createKeyOffer();
    const control = { ...remembered, ...named, pinners, webhooks };
    const management = createManagement(config, databases.control, control);
    const app = await buildApp(
      {
        version: config.version,
        records,
        log: logs,
        anchoring,
        credentials,
        authenticate: createAuthenticate(remembered.staticHolders, remembered.keys),
        management,
        sessions: createSessions(config, { management: management.needs, limits }, overrides.signInPace),
        keyOffer,
        ...createPublicParts(records.provenance, logs),
        limits: limits.windows,
        meter,
        changesHeard: remembered.heard,
        audit,
        delivered: webhooks.counts,
        readiness: createReadiness(databases, { blobs, audit, logs, anchoring, limits }),
        trustProxy: config.trustProxy,
        running: new Set(),
        maxUploadBytes: config.maxUploadBytes,
        compatRoutes: config.compatRoutes,
        ...(overrides.pace === undefined ? {} : { pace: overrides.pace }),
      },
      log,
    );
    // At once: a request may wait for an anchor.
    opened.push(async () => void (await Promise.all([app.close(), anchoring?.close()])));
    return { config, log, databases, records, meter, jobs, keyOffer, app, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Where content is pinned: a project's own service, or those of the configuration. */
function createProjectPinning(
  { pinners, pinataUrl }: Overrides & { pinners: readonly Pinner[] },
  { pinning }: Remembered,
  { fetch }: GuardedFetch,
): Pinning {
  return createPinning({ pinners, readSettings: pinning.read, fetch, pinataUrl });
}

/** What the use cases of records work with. */
function createRecords(
  config: Config,
  provenance: Database,
  {
    log,
    ...parts
  }: Pick<RecordNeeds, 'blobs' | 'matching' | 'createHasher' | 'pinProviders'> & { log: Logger },
): RecordNeeds {
  return {
    provenance,
    recorder: createRecorder(provenance),
    identifyEntity: createIdentifyEntity(provenance),
    proofs: createProofs(config, log),
    ...parts,
  };
}

/** Fewer at once than a pool has connections. */
const CHANGES = { atOnce: 4, waiting: 100 };

function createManagement(
  config: Config,
  control: Database,
  parts: Remembered & {
    sealer: Sealer | undefined;
    guarded: GuardedFetch;
    pinners: readonly Pinner[];
    webhooks: Webhooks;
  },
): AppNeeds['management'] {
  const { secret } = config.management;
  return {
    isSecret: secret === undefined ? undefined : createIsSecret(secret),
    enrolUser: createEnrolUser(control),
    needs: {
      control,
      staticHolders: parts.staticHolders,
      forgetRemembered: parts.forget,
      takeTurn: createTurns(CHANGES),
      sealer: parts.sealer,
      mayReach: parts.guarded.mayReach,
      pinsByDefault: parts.pinners.length > 0,
      webhooks: parts.webhooks.desk,
      publicUrl: config.publicUrl,
    },
    network: toNetwork(config),
  };
}

/** Does what recordings leave to be done. */
function startRecordJobs(
  records: RecordNeeds,
  { log, more }: { log: Logger; more: Overrides['jobHandlers'] },
): JobRunner {
  return startJobs({
    db: records.provenance,
    handlers: { ...createMatchingHandlers(records), ...more },
    reportFailure: (err, job) => log.error({ err, job: job?.id, kind: job?.kind }, 'a job failed'),
  });
}

/** Reads again what was recorded, unless that is turned off; what was found is told anyway. */
function openAudit(
  { auditIntervalMs }: Config,
  { provenance, blobs }: RecordNeeds,
  { log, more }: { log: Logger; more: Overrides['audit'] },
) {
  const state = () => readAuditState(provenance);
  if (auditIntervalMs === 0)
    return { state, isOn: false, checked: new Map<string, number>(), close: async () => {} };
  const audit = startAudit({
    provenance,
    blobs,
    intervalMs: auditIntervalMs,
    onFinding: (finding) => log.error(finding, 'the audit found what is not as it was recorded'),
    reportFailure: (err) => log.error({ err }, 'the audit could not go on; it will try again'),
    ...more,
  });
  return { state, isOn: true, ...audit };
}

/** What `/readyz` asks: the databases answer, whether bytes outlive the process, and how the parts are. */
function createReadiness(
  { control, provenance }: Databases,
  {
    blobs,
    audit,
    logs,
    anchoring,
    limits,
  }: {
    blobs: BlobStore;
    audit: AppNeeds['audit'] & { isOn: boolean };
    logs: LogNeeds;
    anchoring: Anchoring | undefined;
    limits: OpenLimits;
  },
): Readiness {
  const ask = (db: Database) => async () => {
    await ping(db);
    return `ok (${db.engine})`;
  };
  return {
    control: ask(control),
    records: ask(provenance),
    search: async () => `ok (${await readVectorSearch(provenance)})`,
    async bytes() {
      await blobs.check();
      return blobs.durable ? 'ok' : 'ok (in memory: lost on restart)';
    },
    async audit() {
      const { findings, endedAt } = await audit.state();
      const count = findings.reduce((sum, finding) => sum + finding.count, 0);
      // One altered row must not take every node out of service.
      if (count > 0) return `mismatch: ${count} not as recorded, see the log`;
      return audit.isOn ? `ok (last pass ended ${endedAt.toISOString()})` : 'off';
    },
    ...limits.readiness,
    ...logReadiness(logs),
    ...anchoringReadiness(anchoring),
  };
}

/** How proofs are checked, and the key that witnesses what the service saw. */
function createProofs({ proofs: { policy, signingKeyHex } }: Config, log: Logger): Proofs {
  return {
    policy,
    verify: createVerifySignature(),
    signer: signingKeyHex === undefined ? undefined : createSigner(signingKeyHex),
    warn: (message, facts) => log.warn(facts, message),
  };
}
