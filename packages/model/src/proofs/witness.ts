import { hexToBytes } from '@noble/hashes/utils.js';
import * as z from 'zod';
import { type ActionProof, actionProofHash } from './proof.js';
import { publicKeySchema, signatureSchema, type VerifySignature } from './signature.js';
import { witnessText } from './signing-texts.js';

/** Schema of `ext:witness@1.0.0`: the service's countersignature that an action, with its proof, had this output. */
export const witnessSchema = z
  .object({
    actionId: z.string(),
    entityId: z.string(),
    outputCid: z.string(),
    actionProofHash: z.string().regex(/^sha256:[0-9a-f]{64}$/),
    serverSignature: signatureSchema,
    serverPublicKey: publicKeySchema,
    timestamp: z.iso.datetime({ offset: true }),
  })
  .meta({ id: 'Witness' });

/** A parsed `ext:witness@1.0.0`. The signature does not cover `timestamp`. */
export type Witness = z.output<typeof witnessSchema>;

/** The expected content of a countersignature, and the service's public key from a trusted source. */
export interface ExpectedWitness {
  serverPublicKey: string;
  actionId: string;
  entityId: string;
  outputCid: string;
  proof: ActionProof;
}

/** The result of a verification. `otherAction`: the action, the entity or the output differs from the expected one. */
export type WitnessReport =
  | { verified: true }
  | { verified: false; reason: 'untrustedKey' | 'otherAction' | 'otherProof' | 'signatureMismatch' };

/**
 * Whether this service countersigned this output of this action and proof (ProvenanceKit SDK 0.1.16,
 * `verifyServerWitness`). Unlike the SDK, this function does not trust the key inside the countersignature.
 *
 * Throws CanonicalJsonError for a lone surrogate in the countersignature.
 */
export function verifyWitness(
  witness: Witness,
  expected: ExpectedWitness,
  verify: VerifySignature,
): WitnessReport {
  if (witness.serverPublicKey !== expected.serverPublicKey) return refuted('untrustedKey');
  const { actionId, entityId, outputCid } = expected;
  if (witness.actionId !== actionId || witness.entityId !== entityId || witness.outputCid !== outputCid) {
    return refuted('otherAction');
  }
  if (witness.actionProofHash !== actionProofHash(expected.proof)) return refuted('otherProof');
  const text = new TextEncoder().encode(witnessText(witness));
  const signature = hexToBytes(witness.serverSignature);
  return verify(hexToBytes(witness.serverPublicKey), text, signature)
    ? { verified: true }
    : refuted('signatureMismatch');
}

function refuted(reason: Extract<WitnessReport, { verified: false }>['reason']): WitnessReport {
  return { verified: false, reason };
}
