import * as z from 'zod';
import { freeMembers, MAX_LISTED, proofAlgorithm } from './extension-fields.js';

/** What vouches for the AI tool that was used. */
export const TOOL_ATTESTATION_EXTENSION = 'ext:tool-attestation@1.0.0';

const providerSignature = z.looseObject({
  publicKey: z.string(),
  signature: z.string(),
  algorithm: proofAlgorithm,
  signedPayloadHash: z.string(),
});

/** Counted before each is looked at. */
const headers = freeMembers
  .refine((given) => Object.keys(given).length <= MAX_LISTED, `Holds more than ${MAX_LISTED} headers`)
  .pipe(z.record(z.string(), z.string()));

const receipt = z.looseObject({
  requestId: z.string().optional(),
  responseHash: z.string().optional(),
  headers: headers.optional(),
  responseTimestamp: z.string().optional(),
});

/**
 * `{level, providerSignature?, receipt?, outputHash?}`; keys, signatures and hashes in hex.
 *
 * The shape alone is checked: a `level` is what the caller says. Source: the published ProvenanceKit extension set.
 */
export const toolAttestationExtensionSchema = z
  .looseObject({
    level: z.enum(['provider-signed', 'receipt-backed', 'self-declared']),
    providerSignature: providerSignature.optional(),
    receipt: receipt.optional(),
    outputHash: z.string().optional(),
  })
  .meta({ id: 'ToolAttestationExtension', description: 'What vouches for the AI tool that was used' });

/** What vouches for the AI tool that was used. */
export type ToolAttestationExtension = z.infer<typeof toolAttestationExtensionSchema>;
