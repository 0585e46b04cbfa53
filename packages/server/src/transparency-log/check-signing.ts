import {
  emptyRoot,
  findSignerFault,
  parseCheckpoint,
  signCheckpoint,
  type VerifySignature,
} from '@colophon/model';
import type { TransparencyLogDeps } from './deps.js';

/** A project that there is none of. */
const NO_PROJECT = '00000000-0000-0000-0000-000000000000';
const SHOWN_DIGITS = 16;

/** Whether checkpoints can be signed, in a word for operators: it makes one, of an empty log, and verifies it. */
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
