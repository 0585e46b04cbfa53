import { fromBase64 } from '../base64.js';
import { isJsonObject } from '../canonical-json.js';
import type { VerifySignature } from '../proofs/signature.js';
import { parseStrictJson } from '../strict-json.js';
import { formatCheckpoint, parseCheckpoint, type SignedCheckpoint } from './checkpoint.js';
import { type Timestamp, timestampSchema } from './timestamp.js';
import { equalBytes, headHash, leafHash } from './tree-hash.js';
import { KEY_FAULTS } from './verify-by-keys.js';
import type { LogKey } from './verify-key-history.js';
import { verifyInclusion } from './verify-proofs.js';
import { findSignerFault } from './verify-signer.js';

/** The codes of a TimeStampToken that does not verify, with their meanings. */
export const TOKEN_FAULTS = {
  malformedToken: 'The token is not a TimeStampToken with one signer and its certificate.',
  otherImprint: 'The token is for other data than the root.',
  badTokenSignature: 'The signature of the token is wrong.',
  wrongUsage: 'The key usage of the certificate of the token is not limited to time-stamping.',
  untrustedAuthority:
    'The certificate of the token had no valid chain to a trusted certificate at the time of the token.',
} as const;

/** A code of a token that does not verify. */
export type TokenFault = keyof typeof TOKEN_FAULTS;

/** The codes of a failed verification of a time-stamp, with their meanings. */
export const TIMESTAMP_FAULTS = {
  duplicateMember: 'An object has two members of the same name.',
  unsupportedVersion: 'The version of the time-stamp is unknown.',
  malformed: 'This is not a time-stamp: a member is absent, malformed or unknown.',
  otherRecord: 'The time-stamp belongs to another record.',
  leafMismatch: 'The leaf hash does not match the digest.',
  malformedCheckpoint: 'The checkpoint is not a signed note with an origin, a size and a root.',
  otherOrigin: 'The checkpoint belongs to another log.',
  untrustedKey: 'The trusted key did not sign the checkpoint.',
  badSignature: 'The signature of the checkpoint is wrong.',
  leafOutsideTree: 'The index of the leaf is not below the size of the tree in the checkpoint.',
  notIncluded: 'The proof does not lead from the leaf to the root of the checkpoint.',
  notCovered: 'The path does not lead from the checkpoint to the root of the time-stamp.',
  ...TOKEN_FAULTS,
  ...KEY_FAULTS,
} as const;

/** A code of a failed verification of a time-stamp. */
export type TimestampFault = keyof typeof TIMESTAMP_FAULTS;

/** The result for a token. `time`: RFC 3339. `authority`: the name of the signer in its certificate. */
export type TokenReport =
  | { verified: true; time: string; authority: string }
  | { verified: false; code: TokenFault };

/**
 * Verifies a TimeStampToken (RFC 3161) over these bytes: message imprint, signature, key usage and certificate chain.
 * `docs/spec/timestamps-v1.md` lists the checks. Whatever the token contains, the promise never rejects.
 */
export type VerifyToken = (token: Uint8Array, data: Uint8Array) => Promise<TokenReport>;

/** The result of the verification of a time-stamp. `size`: number of leaves of the tree in the checkpoint. */
export type TimestampReport =
  | {
      verified: true;
      digest: string;
      origin: string;
      leafIndex: number;
      size: number;
      time: string;
      authority: string;
    }
  | { verified: false; code: TimestampFault };

/** The expected record, the trusted log, and the functions that verify signatures and tokens. */
export interface TimestampTerms {
  /** Digest of the record: `sha256:` and 64 hex digits. */
  digest: string;
  /** A retired key may only sign trees of at most `maxSize` leaves. */
  trusted: LogKey;
  verify: VerifySignature;
  verifyToken: VerifyToken;
}

/**
 * Whether a trusted log contained the record with this digest when a time-stamping authority signed the token.
 * `source`: the text or the UTF-8 bytes of the time-stamp. docs/spec/timestamps-v1.md lists the checks in their order.
 * The function makes no requests. The promise rejects only when the promise of `verifyToken` rejects.
 *
 * @example
 * const terms = { digest: '', trusted: { publicKey: new Uint8Array(32) }, verify: () => true, verifyToken: async () => ({ verified: true, time: '', authority: '' }) };
 * await verifyTimestamp('{"version":2}', terms); // => { verified: false, code: 'unsupportedVersion' }
 */
export async function verifyTimestamp(
  source: string | Uint8Array,
  { digest, trusted, verify, verifyToken }: TimestampTerms,
): Promise<TimestampReport> {
  const input = parseStrictJson(source);
  if ('fault' in input) return { verified: false, code: input.fault };
  const { value } = input;
  if (isJsonObject(value) && value.version !== 1) return { verified: false, code: 'unsupportedVersion' };
  const parsed = timestampSchema.safeParse(value);
  if (!parsed.success) return { verified: false, code: 'malformed' };
  const timestamp = parsed.data;
  if (timestamp.digest !== digest) return { verified: false, code: 'otherRecord' };
  if (!equalBytes(toBytes(timestamp.log.leafHash), leafHash(digest)))
    return { verified: false, code: 'leafMismatch' };
  const checkpoint = parseCheckpoint(timestamp.log.checkpoint);
  if (checkpoint === undefined) return { verified: false, code: 'malformedCheckpoint' };
  const fault =
    findSignerFault(checkpoint, { named: timestamp.log.origin, trusted, verify }) ??
    findPathFault(checkpoint, timestamp);
  if (fault !== undefined) return { verified: false, code: fault };
  const stamped = await verifyToken(toBytes(timestamp.token), toBytes(timestamp.root));
  if (!stamped.verified) return stamped;
  const { origin, size } = checkpoint;
  if (size > (trusted.maxSize ?? Number.POSITIVE_INFINITY)) return { verified: false, code: 'retiredKey' };
  const { time, authority } = stamped;
  return { verified: true, digest, origin, leafIndex: timestamp.log.leafIndex, size, time, authority };
}

function findPathFault(
  checkpoint: SignedCheckpoint,
  { log, heads, root }: Timestamp,
): TimestampFault | undefined {
  if (log.leafIndex >= checkpoint.size) return 'leafOutsideTree';
  const leaf = {
    leafIndex: log.leafIndex,
    leafHash: toBytes(log.leafHash),
    path: log.inclusionPath.map(toBytes),
  };
  if (!verifyInclusion(leaf, checkpoint)) return 'notIncluded';
  const head = {
    leafIndex: heads.index,
    leafHash: headHash(formatCheckpoint(checkpoint)),
    path: heads.path.map(toBytes),
  };
  return verifyInclusion(head, { size: heads.size, root: toBytes(root) }) ? undefined : 'notCovered';
}

function toBytes(base64: string): Uint8Array {
  return fromBase64(base64) ?? new Uint8Array();
}
