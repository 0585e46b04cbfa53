import * as z from 'zod';
import { freeMembers, MAX_LISTED, proofAlgorithm } from './extension-fields.js';

/** Key of the extension for the attestation of the AI tool of an action. */
export const TOOL_ATTESTATION_EXTENSION = 'ext:tool-attestation@1.0.0';

const providerSignature = z.looseObject({
  publicKey: z.string(),
  signature: z.string(),
  algorithm: proofAlgorithm,
  signedPayloadHash: z.string(),
});

/** Checks the number of headers before it parses any of them. */
const headers = freeMembers
  .refine(
    (given) => Object.keys(given).length <= MAX_LISTED,
    `Too many headers: at most ${MAX_LISTED} are allowed`,
  )
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
 * The service checks only the shape: `level` is the caller's claim. Source: the ProvenanceKit extension
 * set.
 */
export const toolAttestationExtensionSchema = z
  .looseObject({
    level: z.enum(['provider-signed', 'receipt-backed', 'self-declared']),
    providerSignature: providerSignature.optional(),
    receipt: receipt.optional(),
    outputHash: z.string().optional(),
  })
  .meta({ id: 'ToolAttestationExtension', description: 'The attestation of the AI tool of an action' });

/** The attestation of the AI tool of an action. */
export type ToolAttestationExtension = z.infer<typeof toolAttestationExtensionSchema>;
