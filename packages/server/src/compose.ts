import { type Logger, pino } from 'pino';
import { createAuthenticate } from './access/authenticate.js';
import { createSigner, createVerifySignature } from './access/ed25519.js';
import { createLimiter } from './access/limiter.js';
import type { BlobStore } from './blobs/blob-store.js';
import { openDirectoryStore } from './blobs/directory-store.js';
import { createMemoryStore } from './blobs/memory-store.js';
import type { Config } from './config.js';
import type { Context } from './context.js';
import type { Database } from './db/database.js';
import { type Databases, openDatabases, ping } from './db/open-databases.js';
import type { Pace, Readiness } from './http/app.js';
import { buildApp } from './http/build-app.js';
import { type JobHandler, startJobs } from './jobs/run-jobs.js';
import { createIdentifyEntity } from './records/entity-ids.js';
import type { Proofs, RecordNeeds } from './records/needs.js';
import { createRecorder } from './records/recorder.js';

/** Parts that a test may bring along instead of those that the configuration names. */
export interface Overrides {
  log?: Logger;
  blobs?: BlobStore;
  jobHandlers?: Readonly<Record<string, JobHandler>>;
  pace?: Pace;
}

/** Opens everything that the configuration names. When a part fails to open, those before it are closed again. */
export async function createContext(config: Config, overrides: Overrides = {}): Promise<Context> {
  const log = overrides.log ?? pino({ level: config.logLevel });
  const opened: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closeOne of opened.splice(0).reverse()) await closeOne();
  };
  try {
    const databases = await openDatabases(config.store);
    opened.push(() => databases.close());
    const blobs = overrides.blobs ?? (await openBlobs(config));
    opened.push(() => blobs.close());
    const records: RecordNeeds = {
      provenance: databases.provenance,
      recorder: createRecorder(databases.provenance),
      identifyEntity: createIdentifyEntity(databases.provenance),
      proofs: createProofs(config, log),
      blobs,
    };
    const jobs = startJobs({
      db: databases.provenance,
      handlers: overrides.jobHandlers ?? {},
      reportFailure: (err, job) => log.error({ err, job: job?.id, kind: job?.kind }, 'a job failed'),
    });
    opened.push(() => jobs.close());
    const app = await buildApp(
      {
        version: config.version,
        records,
        authenticate: await createAuthenticate(databases.control, config.staticKeys),
        limits: { byKey: createLimiter(config.rateLimit), byAddress: createLimiter(config.rateLimit) },
        readiness: createReadiness(databases, blobs),
        trustProxy: config.trustProxy,
        running: new Set(),
        maxUploadBytes: config.maxUploadBytes,
        ...(overrides.pace === undefined ? {} : { pace: overrides.pace }),
      },
      log,
    );
    opened.push(() => app.close());
    return { config, log, databases, records, jobs, app, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What `/readyz` asks: the databases answer, and whether bytes outlive the process. */
function createReadiness({ control, provenance }: Databases, blobs: BlobStore): Readiness {
  const ask = (db: Database) => async () => {
    await ping(db);
    return `ok (${db.engine})`;
  };
  return {
    control: ask(control),
    records: ask(provenance),
    bytes: async () => (blobs.durable ? 'ok' : 'ok (in memory: lost on restart)'),
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

function openBlobs({ blobs }: Config): Promise<BlobStore> {
  return blobs.kind === 'dir'
    ? openDirectoryStore(blobs.directory)
    : Promise.resolve(createMemoryStore(blobs.capacityBytes));
}
