import {
  emptyRoot,
  findSignerFault,
  parseCheckpoint,
  signCheckpoint,
  type VerifySignature,
} from '@colophon/model';
import type { TransparencyLogDeps } from './deps.js';

/** No project has this id. */
const NO_PROJECT = '00000000-0000-0000-0000-000000000000';
const SHOWN_DIGITS = 16;

/** Signs a checkpoint of an empty log and verifies it. Returns the state of the signer for operators. */
export function checkSigning(
  { signer, service }: Pick<TransparencyLogDeps, 'signer' | 'service'>,
  verify: VerifySignature,
): string {
  if (signer === undefined) return 'impaired: nothing is signed, set SERVER_SIGNING_KEY';
  const origin = `${service}/log/${NO_PROJECT}`;
  const checkpoint = parseCheckpoint(signCheckpoint({ origin, size: 0, root: emptyRoot() }, signer));
  const trusted = { origin, publicKey: Buffer.from(signer.publicKeyHex, 'hex') };
  const fault =
    checkpoint === undefined ? 'malformed' : findSignerFault(checkpoint, { named: origin, trusted, verify });
  if (fault !== undefined) return `impaired: a checkpoint of ${origin} does not verify: ${fault}`;
  return `ok (key ${signer.publicKeyHex.slice(0, SHOWN_DIGITS)})`;
}
