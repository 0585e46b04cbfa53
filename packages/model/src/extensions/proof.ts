import * as z from 'zod';
import { proofAlgorithm, writtenInstant } from './extension-fields.js';

/** The signature of the performer. */
export const PROOF_EXTENSION = 'ext:proof@1.0.0';

/**
 * `{algorithm, publicKey, signature, timestamp}`; key and signature in hex. `timestamp` is the signed one.
 *
 * Only the shape is checked, never the signature: an action's `proof` has the signature that the service verified.
 * Source: the published ProvenanceKit extension set.
 */
export const proofExtensionSchema = z
  .looseObject({
    algorithm: proofAlgorithm,
    publicKey: z.string(),
    signature: z.string(),
    timestamp: writtenInstant,
  })
  .meta({ id: 'ProofExtension', description: 'The signature of the performer, as claimed' });

/** The signature of the performer, as claimed. */
export type ProofExtension = z.infer<typeof proofExtensionSchema>;
