import type { Logger } from 'pino';
import { createSigner, createVerifySignature } from '../access/ed25519.js';
import type { SignatureChecker } from '../access/signatures/signature-checker.js';
import { readAnchoredLeaf } from '../anchors/prove-anchor.js';
import type { BlobStore } from '../blobs/blob-store.js';
import { type Config, ConfigError } from '../config.js';
import type { Readiness } from '../http/app.js';
import type { Database } from '../platform/db/database.js';
import { withTimeout } from '../platform/sleep-until.js';
import type { Scheduler } from '../platform/work/scheduler.js';
import { adoptKey, OtherLogKeyError } from '../transparency-log/adopt-key.js';
import { checkSigning } from '../transparency-log/check-signing.js';
import { createCompleteNodes } from '../transparency-log/complete-nodes.js';
import type { TransparencyLogDeps } from '../transparency-log/deps.js';
import { type NamedLogs, nameLogs } from '../transparency-log/log.sql.js';
import type { LogSigner } from '../transparency-log/log-signer.js';
import { openLogSigner } from '../transparency-log/open-signer.js';
import { openSignedHeads, type SignedHeads } from '../transparency-log/signed-heads.js';
import { noteUse } from '../transparency-log/stored-heads.js';
import type { OpenLimits } from './limits.js';

/** One key signs the logs of all projects. The origin of a log is fixed at its first leaf. */
export async function openLog(
  { logKey, publicUrl, port, store, witnessing, maxPrefixNames }: Config,
  {
    provenance,
    scheduler,
    limits,
    blobs,
    checker,
  }: {
    provenance: Database;
    scheduler: Scheduler;
    limits: OpenLimits;
    blobs: BlobStore;
    checker: Pick<SignatureChecker, 'sign'>;
  },
  logger: Logger,
): Promise<TransparencyLogDeps & { close(): Promise<void> }> {
  const verify = createVerifySignature();
  const createLogSigner = (seedHex: string) => {
    const { key, ...local } = createSigner(seedHex);
    const signLong: LogSigner['signBytes'] = (bytes, projectId, options) =>
      checker.sign({ projectId, key, bytes }, options);
    return { ...local, signLong };
  };
  const signer = await openLogSigner(logKey, { createSigner: createLogSigner, verify });
  if (logKey.kind === 'none') logger.warn('the log is not signed: set SERVER_SIGNING_KEY to 64 hex digits');
  if (logKey.kind === 'memory' && store.kind === 'postgresql')
    logger.warn('the key of the log is lost on restart: set SERVER_SIGNING_KEY or DATA_DIR');
  if (signer !== undefined) await compareKey(provenance, { signer, logKey, logger });
  const { host, pathname } = new URL(publicUrl ?? `http://localhost:${port}`);
  const service = `${host}${pathname.replace(/\/+$/, '')}`.replaceAll('+', '%2B');
  const named = await nameLogs(provenance, service);
  announce(named, service, logger);
  const keepsHeads = blobs.durable && store.kind !== 'memory';
  if (keepsHeads)
    await warnOfOtherStore({ store: blobs, provenance }, { service, before: named.before }, logger);
  const signedHeads = keepsHeads ? openHeads(provenance, blobs, logger) : undefined;
  const limitConcurrency: TransparencyLogDeps['limitConcurrency'] = (projectId, run, signal) =>
    scheduler.run({ projectId, kind: 'history', signal }, run);
  return {
    provenance,
    service,
    signer,
    signedHeads,
    maxPrefixNames,
    witnessKeys: witnessing?.witnesses.map(({ id }) => id) ?? [],
    close: async () => signedHeads?.close(),
    readAnchoredLeaf: (projectId, leafIndex) => readAnchoredLeaf(provenance, projectId, leafIndex),
    limitConcurrency,
    completeNodes: createCompleteNodes(provenance, limitConcurrency),
    hasOtherRequests: limits.windows.requests.hasOthers,
  };
}

function openHeads(provenance: Database, store: BlobStore, logger: Logger): SignedHeads {
  return openSignedHeads({
    store,
    provenance,
    reportFailure: (err) =>
      logger.warn(
        { err },
        'a signed checkpoint was not written to the store for bytes; the service tries again',
      ),
    reportFork: (error) => logger.error({ remedy: error.recovery }, error.message),
  });
}

const NOTE_MS = 5_000;

/** Warns if the store for bytes is unreadable or has no signed checkpoints. The service starts nevertheless. */
async function warnOfOtherStore(
  place: { store: BlobStore; provenance: Database },
  names: { service: string; before: string | null },
  logger: Logger,
): Promise<void> {
  try {
    if (await withTimeout(noteUse(place, names), NOTE_MS)) return;
    logger.warn(
      'the store for bytes has no signed checkpoints from an earlier start: it is another store, or was emptied; ' +
        'the service cannot notice when the database is older than a checkpoint that the service signed earlier',
    );
  } catch (err) {
    logger.warn({ err }, 'the service cannot read the store for bytes, and signs no log until it can');
  }
}

/** Throws ConfigError if another key signed the logs last. For a key in memory, only warns. */
async function compareKey(
  provenance: Database,
  { signer, logKey, logger }: { signer: LogSigner; logKey: Config['logKey']; logger: Logger },
): Promise<void> {
  const { publicKeyHex } = signer;
  try {
    const present = await adoptKey(provenance, { publicKeyHex, isLasting: logKey.kind !== 'memory' });
    if (present !== publicKeyHex)
      logger.warn(
        { present, now: publicKeyHex },
        'a key in memory signs the logs, although another key is their present key',
      );
  } catch (error) {
    if (!(error instanceof OtherLogKeyError)) throw error;
    throw new ConfigError([describeOtherKey(error, KEY_SOURCES[logKey.kind])]);
  }
}

const KEY_SOURCES: Record<Config['logKey']['kind'], string> = {
  given: 'SERVER_SIGNING_KEY',
  command: 'LOG_SIGNER_COMMAND',
  directory: 'the file log-signing-key in DATA_DIR',
  memory: 'this process',
  none: 'no variable',
};

function describeOtherKey({ present, given }: OtherLogKeyError, source: string): string {
  return (
    `${source} has the key with the public key ${given}, but the logs were last signed with ${present}. Use the key ` +
    'of the logs. If a rotation was interrupted, run it again with the same options. To change the key, start with the key of the logs and run `colophon log rotate-key`. If that key is ' +
    'lost, run `colophon log rotate-key --former-key-lost`'
  );
}

function announce({ before, anchored, unanchored }: NamedLogs, service: string, logger: Logger): void {
  if (before !== null && before !== service)
    logger.warn(
      { before, now: service },
      'PUBLIC_URL or PORT changed: existing logs keep their names, and new logs get the new name',
    );
  if (anchored + unanchored > 0)
    logger.info({ service, anchored, unanchored }, 'logs of an earlier version now have permanent names');
}

/** The service records even without a key, and even if logs lost leaves. So problems count only as impaired. */
export function logReadiness(logs: TransparencyLogDeps): Readiness {
  const verify = createVerifySignature();
  return {
    log: async () => {
      const [first, ...others] = logs.signedHeads?.state().forked ?? [];
      if (first === undefined) return checkSigning(logs, verify);
      const more = others.length === 0 ? '' : ` and of ${others.length} more`;
      return (
        `impaired: the log of the project ${first.projectId}${more} lost signed leaves and is not signed: ` +
        'restore a newer database, see `colophon log check`'
      );
    },
  };
}
