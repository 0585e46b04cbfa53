import * as z from 'zod';
import { writtenInstant } from './extension-fields.js';

/** Key of the extension for the service's checks of an action. Only the service sets it. */
export const VERIFICATION_EXTENSION = 'ext:verification@1.0.0';

const claim = z.looseObject({
  status: z.enum(['verified', 'receipt-backed', 'unverified', 'failed', 'skipped']),
  detail: z.string().optional(),
});

/**
 * `{status, claims: {identity, action, output, tool?, inputs?, attestation?}, verifiedAt, policyUsed}`. Each claim is
 * `{status, detail?}`. Source: the ProvenanceKit extension set.
 */
export const verificationExtensionSchema = z
  .looseObject({
    status: z.enum(['verified', 'partial', 'unverified', 'skipped']),
    claims: z.looseObject({
      identity: claim,
      action: claim,
      output: claim,
      tool: claim.optional(),
      inputs: claim.optional(),
      attestation: claim.optional(),
    }),
    verifiedAt: writtenInstant,
    policyUsed: z.enum(['enforce', 'warn', 'off']),
  })
  .meta({ id: 'VerificationExtension', description: 'The result of the service’s checks of an action' });

/** The result of the service's checks of an action. */
export type VerificationExtension = z.infer<typeof verificationExtensionSchema>;
