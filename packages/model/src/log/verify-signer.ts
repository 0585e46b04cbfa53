import { hexToBytes } from '@noble/hashes/utils.js';
import type { VerifySignature } from '../proofs/signature.js';
import type { SignedCheckpoint } from './checkpoint.js';
import { verifySignedNote } from './signed-note.js';
import { parseVerifierKey, toVerifierKey } from './verifier-key.js';

/** A log that the reader trusts. Without an origin, the reader trusts the key for every origin. */
export interface TrustedLog {
  origin?: string | undefined;
  /** The 32 bytes of an Ed25519 public key. Take them from a trusted source, never from the value to verify. */
  publicKey: Uint8Array;
}

/** The reason why a checkpoint is not trusted. */
export type SignerFault = 'otherOrigin' | 'untrustedKey' | 'badSignature';

/**
 * Parses the text for a trusted log: a verifier key `<origin>+<key id>+<base64>`, or a public key as 64 hex digits.
 * A key in hex digits is trusted for every origin. Returns undefined for any other text.
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
 * Returns the reason why this checkpoint does not come from the trusted log, or undefined when it does. `named` is
 * the origin that the receipt or bundle states.
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
  // `toVerifierKey` throws for an origin with white space or `+`.
  if (!/^[^\s+]+$/u.test(origin)) return 'untrustedKey';
  const report = verifySignedNote(note, toVerifierKey(origin, trusted.publicKey), verify);
  return report.verified ? undefined : report.reason;
}
