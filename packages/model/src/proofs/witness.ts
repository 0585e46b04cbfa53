import { hexToBytes } from '@noble/hashes/utils.js';
import * as z from 'zod';
import { type ActionProof, actionProofHash } from './proof.js';
import { publicKeySchema, signatureSchema, type VerifySignature } from './signature.js';
import { witnessText } from './signing-texts.js';

/** `ext:witness@1.0.0`: the service's signature that an action, with its proof, had this output. */
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

/** `ext:witness@1.0.0`, parsed. `timestamp` is not covered by the signature. */
export type Witness = z.output<typeof witnessSchema>;

/** What a witness should say, and by which service: the key must come from a source that the reader trusts. */
export interface ExpectedWitness {
  serverPublicKey: string;
  actionId: string;
  entityId: string;
  outputCid: string;
  proof: ActionProof;
}

/** What became of a verification; `otherAction` also stands for another entity or output. */
export type WitnessReport =
  | { verified: true }
  | { verified: false; reason: 'untrustedKey' | 'otherAction' | 'otherProof' | 'signatureMismatch' };

/**
 * Whether this service witnessed this output of this action and proof (ProvenanceKit SDK 0.1.16,
 * `verifyServerWitness`, which believes whatever key the witness itself names; this does not).
 *
 * Throws CanonicalJsonError for a lone surrogate in the witness.
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
