import {
  emptyRoot,
  findSignerFault,
  parseCheckpoint,
  signCheckpoint,
  type VerifySignature,
} from '@colophon/model';
import type { TransparencyLogDeps } from './deps.js';
import { readPresentKey } from './log-keys.sql.js';
import { buildSigned, SIGNING_CALLERS } from './log-signer.js';

const NO_PROJECT = '00000000-0000-0000-0000-000000000000';
const SHOWN_DIGITS = 16;
const MINUTE_MS = 60_000;
/** Less than the time limit of `/readyz`: a slow signer must not make `/readyz` fail. */
const LIMIT_MS = 1_500;

/** Signs a checkpoint of an empty log and verifies it. Returns the state of the signer for operators. */
export async function checkSigning(
  deps: Pick<TransparencyLogDeps, 'signer' | 'service' | 'provenance'>,
  verify: VerifySignature,
): Promise<string> {
  const timeout = AbortSignal.timeout(LIMIT_MS);
  const late = new Promise<string>((resolve) => {
    timeout.addEventListener('abort', () => resolve('impaired: the signer did not answer in time'));
  });
  const failed = (error: unknown) =>
    `impaired: the signer failed: ${error instanceof Error ? error.message : error}`;
  return Promise.race([late, signOnce(deps, verify).catch(failed)]);
}

async function signOnce(
  { signer, service, provenance }: Pick<TransparencyLogDeps, 'signer' | 'service' | 'provenance'>,
  verify: VerifySignature,
): Promise<string> {
  if (signer === undefined)
    return 'impaired: nothing is signed, set SERVER_SIGNING_KEY or LOG_SIGNER_COMMAND';
  // The origin changes each minute, because a signer may return a cached signature for equal bytes.
  const origin = `${service}/log/${NO_PROJECT}/${Math.floor(Date.now() / MINUTE_MS)}`;
  const empty = { origin, size: 0, root: emptyRoot() };
  const checkpoint = parseCheckpoint(
    await buildSigned(signer, SIGNING_CALLERS.check, (local) => signCheckpoint(empty, local)),
  );
  const trusted = { origin, publicKey: Buffer.from(signer.publicKeyHex, 'hex') };
  const fault =
    checkpoint === undefined ? 'malformed' : findSignerFault(checkpoint, { named: origin, trusted, verify });
  if (fault !== undefined) return `impaired: a checkpoint of ${origin} does not verify: ${fault}`;
  const shown = signer.publicKeyHex.slice(0, SHOWN_DIGITS);
  const present = await readPresentKey(provenance);
  if (present !== undefined && present !== signer.publicKeyHex)
    return `impaired: the key ${shown} is not the present key of the logs, restart this node with the present key`;
  return `ok (key ${shown})`;
}
