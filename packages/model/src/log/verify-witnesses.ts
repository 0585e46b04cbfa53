import { bytesToHex } from '@noble/hashes/utils.js';
import type { VerifySignature } from '../proofs/signature.js';
import { parseCheckpoint } from './checkpoint.js';
import { type CosignatureFault, type CosignatureVerifiers, verifyCosignature } from './cosignature.js';
import type { SignedNote } from './signed-note.js';
import type { WitnessKey } from './witness-key.js';

/** The witnesses that a reader trusts, and how many of them must have cosigned a checkpoint. */
export interface WitnessPolicy {
  witnesses: readonly WitnessKey[];
  quorum: number;
}

/** The codes of a checkpoint that the policy refuses, with their meanings. */
export const WITNESS_FAULTS = {
  malformedCheckpoint: 'The checkpoint is not a signed note with an origin, a size and a root.',
  belowQuorum: 'The number of trusted witnesses that cosigned the checkpoint is below the quorum.',
} as const;

/** A code of a checkpoint that the policy refuses. */
export type WitnessFault = keyof typeof WITNESS_FAULTS;

/** A trusted witness with a valid cosignature. `timeSeconds` is as in `CosignatureReport`. */
export interface Cosigner {
  name: string;
  keyId: string;
  timeSeconds: number;
}

/** A trusted witness without a valid cosignature. */
export interface MissingCosigner {
  name: string;
  keyId: string;
  reason: CosignatureFault;
}

/** The result of the check of a checkpoint against the policy. */
export type QuorumReport =
  | { verified: true; cosigned: Cosigner[]; missing: MissingCosigner[] }
  | { verified: false; code: WitnessFault; cosigned: Cosigner[]; missing: MissingCosigner[] };

/**
 * Whether at least `quorum` of the trusted witnesses cosigned the checkpoint in this signed note. Verify the log's own
 * signature first. Two witnesses with one public key count once, because a cosignature with Ed25519 does not cover the
 * name of its witness. A quorum that is not a whole number of at least 0 is never reached. Without a function for
 * ML-DSA-44, cosignatures with ML-DSA-44 do not count (`notChecked`). Never throws for the content.
 *
 * @example
 * verifyWitnesses('words', { witnesses: [], quorum: 0 }, () => true); // => { verified: false, code: 'malformedCheckpoint', cosigned: [], missing: [] }
 */
export function verifyWitnesses(
  checkpointNote: string,
  { witnesses, quorum }: WitnessPolicy,
  verify: VerifySignature | CosignatureVerifiers,
): QuorumReport {
  const checkpoint = parseCheckpoint(checkpointNote);
  if (checkpoint === undefined)
    return { verified: false, code: 'malformedCheckpoint', cosigned: [], missing: [] };
  const { found } = findCosigners(checkpoint.note, witnesses, verify);
  const isReached = Number.isSafeInteger(quorum) && quorum >= 0 && found.cosigned.length >= quorum;
  return isReached ? { verified: true, ...found } : { verified: false, code: 'belowQuorum', ...found };
}

/**
 * Of several witnesses with one public key, only the first with a valid cosignature counts. `counted`: public keys of
 * the cosigners in hex.
 */
export function findCosigners(
  note: SignedNote,
  witnesses: readonly WitnessKey[],
  verify: VerifySignature | CosignatureVerifiers,
): { found: { cosigned: Cosigner[]; missing: MissingCosigner[] }; counted: ReadonlySet<string> } {
  const cosigned: Cosigner[] = [];
  const missing: MissingCosigner[] = [];
  const counted = new Set<string>();
  for (const witness of witnesses) {
    const { name, keyId, publicKey } = witness;
    const report = verifyCosignature(note, witness, verify);
    if (!report.verified) missing.push({ name, keyId, reason: report.reason });
    else if (!counted.has(bytesToHex(publicKey))) {
      counted.add(bytesToHex(publicKey));
      cosigned.push({ name, keyId, timeSeconds: report.timeSeconds });
    }
  }
  return { found: { cosigned, missing }, counted };
}
