import { hexToBytes } from '@noble/hashes/utils.js';
import type { VerifySignature } from '../proofs/signature.js';
import type { SignedCheckpoint } from './checkpoint.js';
import { verifySignedNote } from './signed-note.js';
import { parseVerifierKey, toVerifierKey } from './verifier-key.js';

/** The trusted log. Without an origin, the key is trusted for every log that it signs. */
export interface TrustedLog {
  origin?: string | undefined;
  /** Ed25519, 32 bytes. Take it from a source that the reader trusts, never from the verified value. */
  publicKey: Uint8Array;
}

/** Why a checkpoint is not trusted. */
export type SignerFault = 'otherOrigin' | 'untrustedKey' | 'badSignature';

/**
 * Parses the trusted log: a verifier key `<origin>+<key id>+<base64>`, or a public key as 64 hex digits, which is
 * trusted for every origin. Returns undefined for another text.
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
 * The reason why this checkpoint does not come from the trusted log; undefined when it does. `named` is its claimed
 * log.
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
  // A name that no key can have has no signature.
  if (!/^[^\s+]+$/u.test(origin)) return 'untrustedKey';
  const report = verifySignedNote(note, toVerifierKey(origin, trusted.publicKey), verify);
  return report.verified ? undefined : report.reason;
}
