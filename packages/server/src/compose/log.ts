import type { Logger } from 'pino';
import { createSigner, createVerifySignature } from '../access/ed25519.js';
import { readAnchoredLeaf } from '../anchors/prove-anchor.js';
import type { Config } from '../config.js';
import type { Database } from '../db/database.js';
import type { Readiness } from '../http/app.js';
import { checkSigning } from '../log/check-signing.js';
import type { LogNeeds } from '../log/needs.js';
import { openSigningKey } from '../log/signing-key.js';
import type { Scheduler } from '../work/scheduler.js';

/** The logs of all projects, signed by one key. Their names hold the address, as callers know it. */
export async function openLog(
  { logKey, publicUrl, port, store }: Config,
  { provenance, scheduler }: { provenance: Database; scheduler: Scheduler },
  log: Logger,
): Promise<LogNeeds> {
  const seedHex = await openSigningKey(logKey);
  if (logKey.kind === 'none') log.warn('nothing is signed: set SERVER_SIGNING_KEY');
  if (logKey.kind === 'memory' && store.kind === 'postgresql')
    log.warn('the key of the log is lost on restart: set SERVER_SIGNING_KEY or DATA_DIR');
  const { host, pathname } = new URL(publicUrl ?? `http://localhost:${port}`);
  const service = `${host}${pathname.replace(/\/+$/, '')}`.replaceAll('+', '%2B');
  return {
    provenance,
    signer: seedHex === undefined ? undefined : createSigner(seedHex),
    originOf: (projectId) => `${service}/log/${projectId}`,
    readAnchoredLeaf: (projectId, leafIndex) => readAnchoredLeaf(provenance, projectId, leafIndex),
    takeTurn: (projectId, run, signal) => scheduler.run({ projectId, kind: 'history', signal }, run),
  };
}

/** What `/readyz` says of the log; records can be made without a key. */
export function logReadiness(logs: LogNeeds): Readiness {
  const verify = createVerifySignature();
  return { log: async () => checkSigning(logs, verify) };
}
