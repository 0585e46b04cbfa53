import {
  emptyRoot,
  findSignerFault,
  parseCheckpoint,
  signCheckpoint,
  type VerifySignature,
} from '@colophon/model';
import type { TransparencyLogDeps } from './deps.js';
import { readPresentKey } from './log-keys.sql.js';
import { buildSigned } from './log-signer.js';

/** No project has this id. */
const NO_PROJECT = '00000000-0000-0000-0000-000000000000';
const SHOWN_DIGITS = 16;

/** Signs a checkpoint of an empty log and verifies it. Returns the state of the signer for operators. */
export async function checkSigning(
  { signer, service, provenance }: Pick<TransparencyLogDeps, 'signer' | 'service' | 'provenance'>,
  verify: VerifySignature,
): Promise<string> {
  if (signer === undefined) return 'impaired: nothing is signed, set SERVER_SIGNING_KEY';
  const origin = `${service}/log/${NO_PROJECT}`;
  const empty = { origin, size: 0, root: emptyRoot() };
  const checkpoint = parseCheckpoint(await buildSigned(signer, (local) => signCheckpoint(empty, local)));
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
