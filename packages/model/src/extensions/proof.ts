import * as z from 'zod';
import { proofAlgorithm, writtenInstant } from './extension-fields.js';

/** Key of the extension for the signature of the performer. */
export const PROOF_EXTENSION = 'ext:proof@1.0.0';

/**
 * `{algorithm, publicKey, signature, timestamp}`; key and signature in hex. The signature covers `timestamp`.
 *
 * The service checks only the shape of this extension, not the signature. To have a signature verified, send it in the
 * member `proof` of the action. Source: the ProvenanceKit extension set.
 */
export const proofExtensionSchema = z
  .looseObject({
    algorithm: proofAlgorithm,
    publicKey: z.string(),
    signature: z.string(),
    timestamp: writtenInstant,
  })
  .meta({ id: 'ProofExtension', description: 'The signature of the performer, as claimed' });

/** The signature of the performer, not verified. */
export type ProofExtension = z.infer<typeof proofExtensionSchema>;
