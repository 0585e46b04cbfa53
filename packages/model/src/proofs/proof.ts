import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import * as z from 'zod';
import { canonicalJsonBytes } from '../canonical-json.js';
import { createNobleSha256 } from '../sha256.js';
import { publicKeySchema, signatureSchema, type VerifySignature } from './signature.js';
import { actionIntentText, fullActionText } from './signing-texts.js';

/**
 * Maximum number of milliseconds by which `timestamp` may be later than the signed time. The ProvenanceKit SDK sends a
 * `timestamp` that is 2 to 9 ms later than the time that the SDK signed. The SDK never sends the signed time.
 */
export const MAX_TIMESTAMP_LAG_MS = 250;

/**
 * Maximum size of all texts with times before `timestamp`, in bytes. Usual actions reach all times within
 * `MAX_TIMESTAMP_LAG_MS`; actions with 1,000 inputs and 1,000 outputs only about 10 to 20 ms.
 */
const MAX_TRIED_BYTES = 4 * 2 ** 20;

const signedInstant = z.iso
  .datetime({ offset: true })
  .max(40)
  .refine((text) => !Number.isNaN(Date.parse(text)), 'Expected an RFC 3339 instant');

/** Schema of a performer's proof of an action. `timestamp` stays unchanged, since the signed text contains it. */
export const actionProofSchema = z
  .strictObject({
    algorithm: z.literal('Ed25519', 'Expected Ed25519, the only algorithm that is verified'),
    publicKey: publicKeySchema,
    signature: signatureSchema,
    timestamp: signedInstant.meta({
      description: `RFC 3339 instant of signing, or up to ${MAX_TIMESTAMP_LAG_MS} ms after it`,
      examples: ['2026-08-02T09:30:00.000Z'],
    }),
    signedTimestamp: signedInstant.optional().meta({
      description:
        'The timestamp in the signed text, if it differs from `timestamp`. In a batch, send it if the two timestamps differ, because a batch does not search for an earlier instant.',
    }),
  })
  .meta({ id: 'ActionProof' });

/** A performer's parsed proof of an action. */
export type ActionProof = z.output<typeof actionProofSchema>;

/** The content ids of an action: either all as the caller sent them, or all canonical. */
export interface ContentNames {
  inputs: readonly string[];
  outputs: readonly string[];
}

/**
 * The action of a proof. Callers sign the content ids that they send. These can differ from the canonical content ids.
 */
export interface ProvenAction {
  type: string;
  entityId: string;
  asSent: ContentNames;
  /** The content ids as the service stores them. */
  canonical: ContentNames;
}

/**
 * The result of a verification. `covers` states which text was signed: `intent` is the text without the outputs.
 * `names` states the signed form of the content ids: `canonical` (also if the caller sent canonical ids) or `asSent`.
 * The signature covers `signedTimestamp`, which can differ from `proof.timestamp`.
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
 * Whether the holder of `proof.publicKey` signed this action, in a format of ProvenanceKit SDK 0.1.16. The caller must
 * check the owner of the key, and whether the same signature was used before, because the signed text contains no
 * nonce.
 *
 * For each possible time, the function tries the text of the intent, then the text of the full action. It tries each
 * text first with the canonical content ids. If the caller sent other ids, it then tries the text with the sent ids.
 *
 * `signedTimestamp` is the only possible time when it is present. Otherwise the first time is `timestamp` as sent. If
 * `timestamp` has the form of the SDK (`Date.toISOString`), the function then goes back in steps of one millisecond.
 * The earliest time is `MAX_TIMESTAMP_LAG_MS` before `timestamp`, or a later time if all texts together would exceed
 * 4 MiB.
 *
 * The number of signature checks is 1 to 4 when `timestamp` is the signed time, and about 4 to 20 for proofs of the
 * ProvenanceKit SDK. A wrong proof needs at most 502 checks, or 1,004 if the sent ids differ from the canonical ones.
 * With `signedTimestamp`, it needs at most 4. Throws CanonicalJsonError for a lone surrogate in the action.
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

/** A text that the signature of a proof may cover, and the report for a match. */
export interface PossibleText {
  text: Uint8Array;
  signedTimestamp: string;
  covers: 'intent' | 'full';
  names: 'canonical' | 'asSent';
}

/**
 * Yields the texts that `verifyActionProof` tries, in the same order, for callers that verify signatures in steps.
 * The generator creates each text on demand. With `maxLagMs` 0 there are at most 4 texts, all with `signedTimestamp`,
 * or with `timestamp` when `signedTimestamp` is absent.
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
 * Returns the identifier of a proof in a countersignature: `sha256:` and the hex of SHA-256 over the canonical JSON
 * of all its members (ProvenanceKit SDK 0.1.16, `hashActionProof`).
 *
 * @example
 * const proof = { algorithm: 'Ed25519', publicKey: '00'.repeat(32), signature: '00'.repeat(64), timestamp: '2026-08-02T09:30:00.000Z' };
 * actionProofHash(proof); // => 'sha256:1e42cf1b325347183ab05e591d8972a3f2cd0e8d45c5e6167aec761be3805849'
 */
export function actionProofHash({ signedTimestamp, ...sdkMembers }: ActionProof): string {
  const proof = signedTimestamp === undefined ? sdkMembers : { ...sdkMembers, signedTimestamp };
  const hash = createNobleSha256();
  hash.update(canonicalJsonBytes(proof));
  return `sha256:${bytesToHex(hash.digest())}`;
}

/** Up to its timestamp. */
interface OpenText {
  opening: Uint8Array;
  covers: 'intent' | 'full';
  names: 'canonical' | 'asSent';
}

/** `timestamp` is the last member, so all text before it is the same for every time. */
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
