import * as z from 'zod';
import { proofAlgorithm, writtenInstant } from './extension-fields.js';

/** The signature of whoever acted. */
export const PROOF_EXTENSION = 'ext:proof@1.0.0';

/**
 * `{algorithm, publicKey, signature, timestamp}`; key and signature in hex, `timestamp` being the signed one.
 *
 * The shape alone is checked, never the signature: what this service verified is in an action's `proof`.
 * Source: the published ProvenanceKit extension set.
 */
export const proofExtensionSchema = z
  .looseObject({
    algorithm: proofAlgorithm,
    publicKey: z.string(),
    signature: z.string(),
    timestamp: writtenInstant,
  })
  .meta({ id: 'ProofExtension', description: 'The signature of whoever acted, as claimed' });

/** The signature of whoever acted, as claimed. */
export type ProofExtension = z.infer<typeof proofExtensionSchema>;
