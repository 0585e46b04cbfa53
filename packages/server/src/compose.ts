import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type Logger, pino } from 'pino';
import {
  createAuthenticate,
  createLookForKey,
  enrolStaticKeys,
  type StaticHolders,
} from './access/authenticate.js';
import { CHANGE_CHANNEL } from './access/changes.sql.js';
import { createSigner, createVerifySignature } from './access/ed25519.js';
import { createKeyCache, type KeyCache } from './access/key-cache.js';
import { createLimiter } from './access/limiter.js';
import { createIsSecret } from './access/management-secret.js';
import { createReadMediaSettings } from './access/project-settings.js';
import { createSealer, type Sealer } from './access/seal-secret.js';
import { watchChanges } from './access/watch-changes.js';
import type { BlobStore } from './blobs/blob-store.js';
import { openDirectoryStore } from './blobs/directory-store.js';
import { createHashPool } from './blobs/hashing/hash-pool.js';
import { createMemoryStore } from './blobs/memory-store.js';
import { createKuboPinner } from './blobs/pinning/kubo.js';
import { createPinataPinner } from './blobs/pinning/pinata.js';
import type { Pinner } from './blobs/pinning/pinner.js';
import { openS3Store } from './blobs/s3/open-s3-store.js';
import type { Config } from './config.js';
import type { Context } from './context.js';
import type { Database } from './db/database.js';
import { type Listener, listen } from './db/listen.js';
import { type Databases, openDatabases, ping } from './db/open-databases.js';
import type { AppNeeds, Pace, Readiness } from './http/app.js';
import { buildApp } from './http/build-app.js';
import { type JobHandler, type JobRunner, startJobs } from './jobs/run-jobs.js';
import { createEnrolUser } from './management/enrol-user.js';
import { createTurns } from './management/take-turns.js';
import { createUsageMeter } from './management/usage-meter.js';
import type { MediaEngineOptions } from './media/create-media-engine.js';
import { createLazyEngine } from './media/lazy-engine.js';
import { createPassTimes } from './media/pass-times.js';
import { createDevelopmentSigner, type DevelopmentSigner } from './media/signing/development-signer.js';
import { createPinning } from './records/create-pinning.js';
import type { CredentialNeeds } from './records/credentials/needs.js';
import { createIdentifyEntity } from './records/entity-ids.js';
import { createDescribeHandler } from './records/matching/describe-job.js';
import { createEmbedHandler, EMBED_JOB } from './records/matching/embed-job.js';
import { DESCRIBE_JOB } from './records/matching/match-upload.js';
import type { Proofs, RecordNeeds } from './records/needs.js';
import { createPinJob, type PinningNeeds } from './records/pin-content.js';
import { createRecorder } from './records/recorder.js';
import { adoptVectorIndex, readVectorSearch } from './search/descriptors.sql.js';
import { createTextEmbedder } from './search/embed-text.js';
import { createSearchPool } from './search/search-pool.js';

/** Parts that a test may bring along instead of those that the configuration names. */
export interface Overrides {
  log?: Logger;
  blobs?: BlobStore;
  jobHandlers?: Readonly<Record<string, JobHandler>>;
  pinners?: readonly Pinner[];
  pace?: Pace;
  media?: Partial<MediaEngineOptions>;
}

/** Of the processor's threads a quarter hashes uploads; the rest is for the main thread and for media. */
const HASH_THREADS = Math.max(1, Math.floor(availableParallelism() / 4));

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
    await adoptVectorIndex(databases.provenance);
    const blobs = overrides.blobs ?? (await openBlobs(config, log));
    opened.push(() => blobs.close());
    const hashing = createHashPool({ threads: HASH_THREADS });
    opened.push(() => hashing.close());
    const pinning = createPinning(overrides.pinners ?? createPinners(config));
    const { embeddings } = config.search;
    const embedder = embeddings === undefined ? undefined : createTextEmbedder(embeddings);
    const pool = createSearchPool(config.search);
    opened.push(() => pool.close());
    const records: RecordNeeds = {
      provenance: databases.provenance,
      recorder: createRecorder(databases.provenance),
      identifyEntity: createIdentifyEntity(databases.provenance),
      proofs: createProofs(config, log),
      blobs,
      matching: { pool, waitMs: config.search.waitMs, embedder },
      createHasher: hashing.createHasher,
      pinProviders: pinning.providersOf,
    };
    const sealer = createConfiguredSealer(config);
    const credentials = createCredentials(config, databases.control, { sealer, engine: overrides.media });
    opened.push(() => credentials.engine.close());
    const { staticHolders, keys, heard, listener } = await openKeys(config, databases.control, log);
    opened.push(() => listener.close());
    const meter = createUsageMeter(databases.control, {
      reportFailure: (err) => log.error({ err }, 'usage was not written'),
    });
    opened.push(() => meter.close());
    const jobs = startJobs({
      db: databases.provenance,
      handlers: {
        ...createMatchingHandlers(records),
        ...overrides.jobHandlers,
      },
      reportFailure: (err, job) => log.error({ err, job: job?.id, kind: job?.kind }, 'a job failed'),
    });
    opened.push(() => jobs.close());
    const pins = startPinJobs({ ...records, pinnerOf: pinning.pinnerOf }, pinning.isOn, log);
    opened.push(() => pins.close());
    const app = await buildApp(
      {
        version: config.version,
        records,
        credentials,
        authenticate: createAuthenticate(staticHolders, keys),
        management: createManagement(config, databases.control, { staticHolders, keys, sealer }),
        limits: { byKey: createLimiter(config.rateLimit), byAddress: createLimiter(config.rateLimit) },
        meter,
        changesHeard: heard,
        readiness: createReadiness(databases, blobs),
        trustProxy: config.trustProxy,
        running: new Set(),
        maxUploadBytes: config.maxUploadBytes,
        ...(overrides.pace === undefined ? {} : { pace: overrides.pace }),
      },
      log,
    );
    opened.push(() => app.close());
    return { config, log, databases, records, meter, jobs, app, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What recordings leave to be done for the sake of matching. */
function createMatchingHandlers({ provenance, blobs, matching }: RecordNeeds): Record<string, JobHandler> {
  const { pool, embedder } = matching;
  return {
    [DESCRIBE_JOB]: createDescribeHandler({ provenance, blobs, pool }),
    ...(embedder === undefined ? {} : { [EMBED_JOB]: createEmbedHandler({ provenance, blobs, embedder }) }),
  };
}

/** Fewer at once than a pool has connections. */
const CHANGES = { atOnce: 4, waiting: 100 };

function createManagement(
  config: Config,
  control: Database,
  {
    staticHolders,
    keys,
    sealer,
  }: { staticHolders: StaticHolders; keys: KeyCache; sealer: Sealer | undefined },
): AppNeeds['management'] {
  const { secret } = config.management;
  return {
    isSecret: secret === undefined ? undefined : createIsSecret(secret),
    enrolUser: createEnrolUser(control),
    needs: {
      control,
      staticHolders,
      forgetKeys: keys.clear,
      takeTurn: createTurns(CHANGES),
      sealer,
      publicUrl: config.publicUrl,
    },
    network: { configured: false },
  };
}

const MEDIA_TIMEOUT_MS = 60_000;

/** How Content Credentials are read and signed. In development a signer that nobody trusts stands in for none. */
function createCredentials(
  { media, production }: Config,
  control: Database,
  { sealer, engine }: { sealer: Sealer | undefined; engine: Overrides['media'] },
): CredentialNeeds {
  const { maxBytes, trustAnchorsPem, signer, tsaUrl, allowUntrustedSigner } = media;
  let development: DevelopmentSigner | undefined;
  const developmentSigner = () => {
    development ??= createDevelopmentSigner();
    return development;
  };
  const times = createPassTimes();
  return {
    times,
    engine: createLazyEngine({
      times,
      maxBytes,
      timeoutMs: MEDIA_TIMEOUT_MS,
      threads: Math.max(1, availableParallelism() - 1),
      ...engine,
    }),
    readSettings: createReadMediaSettings(control, sealer),
    trustAnchorsPem,
    defaultSigner: signer === undefined ? (production ? undefined : developmentSigner) : () => signer,
    tsaUrl,
    signerMustBeTrusted: production && !allowUntrustedSigner,
    maxMediaBytes: maxBytes,
  };
}

/** Whom keys stand for, remembered until somebody changes something. */
async function openKeys(config: Config, control: Database, log: Logger) {
  const heard = { listen: 0, poll: 0 };
  const forget = (by: keyof typeof heard) => () => {
    heard[by]++;
    keys.clear();
  };
  const staticHolders = await enrolStaticKeys(control, config.staticKeys);
  const watch = watchChanges(control, forget('poll'), {
    reportFailure: (err) => log.error({ err }, 'cannot ask for changes; every key is looked up'),
  });
  const keys = createKeyCache(createLookForKey(control, staticHolders), watch);
  return { staticHolders, keys, heard, listener: listenForChanges(config, forget('listen'), log) };
}

/** Hears of changes by other nodes at once where there is an address to listen on; polling tells of them anyway. */
function listenForChanges({ store }: Config, onNotice: () => void, log: Logger): Listener {
  if (store.kind !== 'postgresql' || store.directUrl === undefined) return { close: async () => {} };
  return listen({ url: store.directUrl, channel: CHANGE_CHANNEL }, onNotice, (err) =>
    log.warn({ err }, 'cannot listen for changes; polling instead'),
  );
}

/** Seals with SECRETS_KEY; in memory, where nothing outlives the process, with a key of its own. */
function createConfiguredSealer({ management: { secretsKey }, store }: Config): Sealer | undefined {
  if (secretsKey !== undefined) return createSealer(Buffer.from(secretsKey, 'base64'));
  return store.kind === 'memory' ? createSealer(randomBytes(32)) : undefined;
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
    search: async () => `ok (${await readVectorSearch(provenance)})`,
    async bytes() {
      await blobs.check();
      return blobs.durable ? 'ok' : 'ok (in memory: lost on restart)';
    },
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

/** The pinning services that the configuration names. */
export function createPinners({ pinning: { pinata, kubo } }: Config): Pinner[] {
  return [
    ...(pinata === undefined ? [] : [createPinataPinner(pinata)]),
    ...(kubo === undefined ? [] : [createKuboPinner(kubo)]),
  ];
}

const PIN_MAX_RUN_SECONDS = 6 * 60 * 60;

/** A runner of its own: a pin may take hours, and no other job waits for it. */
function startPinJobs(needs: PinningNeeds, isOn: boolean, log: Logger): JobRunner {
  return startJobs({
    db: needs.provenance,
    handlers: isOn ? { pin: createPinJob(needs) } : {},
    maxRunSeconds: PIN_MAX_RUN_SECONDS,
    reportFailure: (err, job) => log.warn({ err, job: job?.id, project: job?.projectId }, 'not pinned yet'),
  });
}

/** The store of bytes that the configuration names. */
export function openBlobs({ blobs, maxUploadBytes }: Config, log: Logger): Promise<BlobStore> {
  switch (blobs.kind) {
    case 'dir':
      return openDirectoryStore(blobs.directory);
    case 'memory':
      return Promise.resolve(createMemoryStore(blobs.capacityBytes));
    case 's3':
      return openS3Store({
        ...blobs,
        maxContentBytes: maxUploadBytes,
        reportFailure: (err) => log.warn({ err }, 'unfinished uploads in the bucket were not removed'),
      });
  }
}
