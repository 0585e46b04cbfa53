import { hexToBytes } from '@noble/hashes/utils.js';
import type { VerifySignature } from '../proofs/signature.js';
import type { SignedCheckpoint } from './checkpoint.js';
import { verifySignedNote } from './signed-note.js';
import { parseVerifierKey, toVerifierKey } from './verifier-key.js';

/** Which log is believed. Without an origin, the key is believed for every log that it signs. */
export interface TrustedLog {
  origin?: string | undefined;
  /** Ed25519, 32 bytes; from a source that the reader trusts, never from what is verified. */
  publicKey: Uint8Array;
}

/** Why a checkpoint is not believed. */
export type SignerFault = 'otherOrigin' | 'untrustedKey' | 'badSignature';

/**
 * The log that a text names: a verifier key `<origin>+<key id>+<base64>`, or a public key as 64 hex digits, which is
 * believed for every origin. Undefined when it is neither.
 *
 * @example
 * parseTrustedLog('00'.repeat(32)); // => { publicKey: new Uint8Array(32) }
 * parseTrustedLog('something else'); // => undefined
 */
export function parseTrustedLog(text: string): TrustedLog | undefined {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return { publicKey: hexToBytes(text) };
  const key = parseVerifierKey(text);
  return key === undefined ? undefined : { origin: key.name, publicKey: key.publicKey };
}

/**
 * Why this checkpoint, which is said to be of the log `named`, is not the trusted log's; undefined when it is.
 *
 * @example
 * const checkpoint = { origin: 'a', size: 0, root: emptyRoot(), note: { text: 'a\n', signatures: [] } };
 * const trusted = { publicKey: new Uint8Array(32) };
 * findSignerFault(checkpoint, { named: 'b', trusted, verify: () => true }); // => 'otherOrigin'
 * findSignerFault(checkpoint, { named: 'a', trusted, verify: () => true }); // => 'untrustedKey'
 */
export function findSignerFault(
  { origin, note }: SignedCheckpoint,
  { named, trusted, verify }: { named: string; trusted: TrustedLog; verify: VerifySignature },
): SignerFault | undefined {
  if (origin !== named || origin !== (trusted.origin ?? origin)) return 'otherOrigin';
  // A name that no key can have was signed by none.
  if (!/^[^\s+]+$/u.test(origin)) return 'untrustedKey';
  const report = verifySignedNote(note, toVerifierKey(origin, trusted.publicKey), verify);
  return report.verified ? undefined : report.reason;
}
