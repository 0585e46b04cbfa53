import type { Logger } from 'pino';
import { createSigner, createVerifySignature } from '../access/ed25519.js';
import { readAnchoredLeaf } from '../anchors/prove-anchor.js';
import type { Config } from '../config.js';
import type { Readiness } from '../http/app.js';
import type { Database } from '../platform/db/database.js';
import type { Scheduler } from '../platform/work/scheduler.js';
import { checkSigning } from '../transparency-log/check-signing.js';
import type { TransparencyLogDeps } from '../transparency-log/deps.js';
import { type NamedLogs, nameLogs } from '../transparency-log/log.sql.js';
import { openSigningKey } from '../transparency-log/signing-key.js';
import type { OpenLimits } from './limits.js';

/**
 * Opens the logs of all projects. One key signs them. The origin of a log is fixed at its first leaf and contains
 * the address of the service at that time.
 */
export async function openLog(
  { logKey, publicUrl, port, store }: Config,
  { provenance, scheduler, limits }: { provenance: Database; scheduler: Scheduler; limits: OpenLimits },
  logger: Logger,
): Promise<TransparencyLogDeps> {
  const seedHex = await openSigningKey(logKey);
  if (logKey.kind === 'none') logger.warn('the log is not signed: set SERVER_SIGNING_KEY to 64 hex digits');
  if (logKey.kind === 'memory' && store.kind === 'postgresql')
    logger.warn('the key of the log is lost on restart: set SERVER_SIGNING_KEY or DATA_DIR');
  const { host, pathname } = new URL(publicUrl ?? `http://localhost:${port}`);
  const service = `${host}${pathname.replace(/\/+$/, '')}`.replaceAll('+', '%2B');
  announce(await nameLogs(provenance, service), service, logger);
  return {
    provenance,
    service,
    signer: seedHex === undefined ? undefined : createSigner(seedHex),
    readAnchoredLeaf: (projectId, leafIndex) => readAnchoredLeaf(provenance, projectId, leafIndex),
    limitConcurrency: (projectId, run, signal) => scheduler.run({ projectId, kind: 'history', signal }, run),
    hasOtherRequests: limits.windows.requests.hasOthers,
  };
}

function announce({ before, anchored, unanchored }: NamedLogs, service: string, logger: Logger): void {
  if (before !== null && before !== service)
    logger.warn(
      { before, now: service },
      'PUBLIC_URL or PORT changed: logs keep their names, new logs get the new one',
    );
  if (anchored + unanchored > 0)
    logger.info({ service, anchored, unanchored }, 'logs of an earlier version now have permanent names');
}

/** Without a key the service still records, so `/readyz` reports the log as impaired. */
export function logReadiness(logs: TransparencyLogDeps): Readiness {
  const verify = createVerifySignature();
  return { log: async () => checkSigning(logs, verify) };
}
