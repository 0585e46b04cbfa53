import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import * as z from 'zod';
import { canonicalJsonBytes } from '../canonical-json.js';
import { createNobleSha256 } from '../sha256.js';
import { publicKeySchema, signatureSchema, type VerifySignature } from './signature.js';
import { actionIntentText, fullActionText } from './signing-texts.js';

/**
 * How far `timestamp` may lie behind the signed instant. The published SDK signs one instant and sends another,
 * 2 to 9 ms later; what it signed is never sent.
 */
export const MAX_TIMESTAMP_LAG_MS = 250;

/** How much text is tried behind `timestamp`: all of the lag for usual actions, 10 ms for 1,000 inputs and outputs. */
const MAX_TRIED_BYTES = 4 * 2 ** 20;

const signedInstant = z.iso
  .datetime({ offset: true })
  .max(40)
  .refine((text) => !Number.isNaN(Date.parse(text)), 'Not an instant');

/** A performer's proof of an action, kept byte for byte as sent, for the timestamp is part of the signed text. */
export const actionProofSchema = z
  .strictObject({
    algorithm: z.literal('Ed25519', 'Only Ed25519 proofs are verified here'),
    publicKey: publicKeySchema,
    signature: signatureSchema,
    timestamp: signedInstant.meta({
      description: `RFC 3339 instant of signing, or up to ${MAX_TIMESTAMP_LAG_MS} ms after it`,
      examples: ['2026-08-02T09:30:00.000Z'],
    }),
    signedTimestamp: signedInstant.optional().meta({
      description:
        'The timestamp in the signed text, when it is not `timestamp`. In a batch no earlier instant is tried.',
    }),
  })
  .meta({ id: 'ActionProof' });

/** A performer's proof of an action, parsed. */
export type ActionProof = z.output<typeof actionProofSchema>;

/** Content of an action, under one way of writing its content ids. */
export interface ContentNames {
  inputs: readonly string[];
  outputs: readonly string[];
}

/** The action that a proof should be of. Callers sign the names that they send, not those that we make of them. */
export interface ProvenAction {
  type: string;
  entityId: string;
  /** As the caller wrote them. */
  asSent: ContentNames;
  /** As they are recorded. */
  canonical: ContentNames;
}

/**
 * What became of a verification. `covers` says which text was signed: the `intent` leaves the outputs out.
 * `names` says under which names; `canonical` when both are the same. `signedTimestamp` is what the signature
 * covers, `proof.timestamp` may be another.
 */
export type ProofReport =
  | {
      verified: true;
      signedTimestamp: string;
      covers: 'intent' | 'full';
      names: 'canonical' | 'asSent';
    }
  | { verified: false; reason: 'signatureMismatch' };

/**
 * Whether the holder of `proof.publicKey` signed this action, in a format of ProvenanceKit SDK 0.1.16. Whose key
 * it is, and whether the same signature was used before, are the caller's questions: neither format holds a nonce.
 *
 * At each instant the intent is tried, then the full action, each under the canonical names and then, if they
 * differ, under those sent. Instants: `signedTimestamp` alone when it is given; else `timestamp` as written and,
 * when it is written as the SDK does (`Date.toISOString`), each millisecond before it, latest first, back to
 * `MAX_TIMESTAMP_LAG_MS`, or less far where the texts are so long that all of them would be over 4 MiB. So a proof costs one check when `timestamp` is the signed one, about 4 to 20 from the
 * published SDK, and a wrong one 502, or 1,004 when the names differ; with `signedTimestamp`, 4 at most.
 *
 * Throws CanonicalJsonError for a lone surrogate in the action.
 *
 * @example
 * const proof = { algorithm: 'Ed25519', publicKey: '00'.repeat(32), signature: '00'.repeat(64), timestamp: '2026-08-02T09:30:00Z' };
 * const names = { inputs: [], outputs: [] };
 * const action = { type: 'create', entityId: 'ann', asSent: names, canonical: names };
 * verifyActionProof(proof, action, () => false); // => { verified: false, reason: 'signatureMismatch' }
 */
export function verifyActionProof(
  proof: ActionProof,
  action: ProvenAction,
  verify: VerifySignature,
): ProofReport {
  const publicKey = hexToBytes(proof.publicKey);
  const signature = hexToBytes(proof.signature);
  for (const { text, ...found } of possibleSignedTexts(proof, action)) {
    if (verify(publicKey, text, signature)) return { verified: true, ...found };
  }
  return { verified: false, reason: 'signatureMismatch' };
}

/** A text that a proof's signature may be over, and what a report says when it is. */
export interface PossibleText {
  text: Uint8Array;
  signedTimestamp: string;
  covers: 'intent' | 'full';
  names: 'canonical' | 'asSent';
}

/**
 * The texts that `verifyActionProof` tries, in its order, for callers that verify signatures in steps. Each is made
 * when it is asked for. With `maxLagMs` 0 there are 4 at most, all of the one timestamp that is sent.
 *
 * Throws CanonicalJsonError for a lone surrogate in the action.
 */
export function* possibleSignedTexts(
  proof: ActionProof,
  action: ProvenAction,
  maxLagMs: number = MAX_TIMESTAMP_LAG_MS,
): Generator<PossibleText> {
  const texts = openTexts(action);
  const sizeBytes = texts.reduce((sum, { opening }) => sum + opening.length, 0);
  const lagMs = Math.min(maxLagMs, Math.floor(MAX_TRIED_BYTES / sizeBytes));
  for (const signedTimestamp of possibleTimestamps(proof, lagMs)) {
    const ending = utf8(`${signedTimestamp}${TEXT_END}`);
    for (const { opening, covers, names } of texts)
      yield { text: concatBytes(opening, ending), signedTimestamp, covers, names };
  }
}

/**
 * The name of a proof in a witness: `sha256:` and the hex of SHA-256 over the canonical JSON of all its members
 * (ProvenanceKit SDK 0.1.16, `hashActionProof`).
 *
 * @example
 * const proof = { algorithm: 'Ed25519', publicKey: '00'.repeat(32), signature: '00'.repeat(64), timestamp: '2026-08-02T09:30:00.000Z' };
 * actionProofHash(proof); // => 'sha256:1e42cf1b325347183ab05e591d8972a3f2cd0e8d45c5e6167aec761be3805849'
 */
export function actionProofHash({ signedTimestamp, ...published }: ActionProof): string {
  const proof = signedTimestamp === undefined ? published : { ...published, signedTimestamp };
  const hash = createNobleSha256();
  hash.update(canonicalJsonBytes(proof));
  return `sha256:${bytesToHex(hash.digest())}`;
}

/** A text that may have been signed, up to its timestamp. */
interface OpenText {
  opening: Uint8Array;
  covers: 'intent' | 'full';
  names: 'canonical' | 'asSent';
}

/** `timestamp` is the last member of both formats, so that all else is written once for every instant. */
const TEXT_END = '"}';

function openTexts({ type: actionType, entityId, ...action }: ProvenAction): OpenText[] {
  const opened = new Map<string, OpenText>();
  for (const covers of ['intent', 'full'] as const) {
    for (const names of ['canonical', 'asSent'] as const) {
      const toText = covers === 'intent' ? actionIntentText : fullActionText;
      const text = toText({ actionType, entityId, ...action[names], timestamp: '' });
      if (!opened.has(text)) {
        opened.set(text, { opening: utf8(text.slice(0, -TEXT_END.length)), covers, names });
      }
    }
  }
  return [...opened.values()];
}

function* possibleTimestamps(
  { timestamp, signedTimestamp }: ActionProof,
  maxLagMs: number,
): Generator<string> {
  yield signedTimestamp ?? timestamp;
  const latestMs = Date.parse(timestamp);
  if (signedTimestamp !== undefined || new Date(latestMs).toISOString() !== timestamp) return;
  for (let lagMs = 1; lagMs <= maxLagMs; lagMs++) yield new Date(latestMs - lagMs).toISOString();
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
