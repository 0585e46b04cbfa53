import * as z from 'zod';
import { writtenInstant } from './extension-fields.js';

/** Key of the extension for the service's countersignature of an action. Only the service sets it. */
export const WITNESS_EXTENSION = 'ext:witness@1.0.0';

const attestation = z.looseObject({
  type: z.string(),
  report: z.string(),
  measurements: z.record(z.string(), z.string()).optional(),
  nonce: z.string().optional(),
});

/**
 * `{actionId, entityId, outputCid, actionProofHash, serverSignature, serverPublicKey, timestamp, attestation?}`.
 *
 * The hash, the key and the signature are in hex; `attestation.report` is in base64. Source: the
 * ProvenanceKit extension set.
 */
export const witnessExtensionSchema = z
  .looseObject({
    actionId: z.string(),
    entityId: z.string(),
    outputCid: z.string(),
    actionProofHash: z.string(),
    serverSignature: z.string(),
    serverPublicKey: z.string(),
    timestamp: writtenInstant,
    attestation: attestation.optional(),
  })
  .meta({ id: 'WitnessExtension', description: 'The service’s countersignature of an action' });

/** The service's countersignature of an action. */
export type WitnessExtension = z.infer<typeof witnessExtensionSchema>;
