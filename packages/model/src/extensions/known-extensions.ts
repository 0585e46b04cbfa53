import type * as z from 'zod';
import { AI_EXTENSION, aiExtensionSchema } from './ai.js';
import { AUTH_EXTENSION, authExtensionSchema } from './auth.js';
import { AUTHORIZATION_EXTENSION, authorizationExtensionSchema } from './authorization.js';
import { C2PA_EXTENSION, c2paExtensionSchema } from './c2pa.js';
import { CONTRIB_EXTENSION, contribExtensionSchema } from './contrib.js';
import { GIT_EXTENSION, gitExtensionSchema } from './git.js';
import { GOVERNANCE_EXTENSION, governanceExtensionSchema } from './governance.js';
import { IDENTITY_EXTENSION, identityExtensionSchema } from './identity.js';
import { LICENSE_EXTENSION, licenseExtensionSchema } from './license.js';
import { MARK_EXTENSION, markExtensionSchema } from './mark.js';
import { ONCHAIN_EXTENSION, onchainExtensionSchema } from './onchain.js';
import { OWNERSHIP_CLAIM_EXTENSION, ownershipClaimExtensionSchema } from './ownership-claim.js';
import { OWNERSHIP_TRANSFER_EXTENSION, ownershipTransferExtensionSchema } from './ownership-transfer.js';
import { PAYMENT_EXTENSION, paymentExtensionSchema } from './payment.js';
import { PROOF_EXTENSION, proofExtensionSchema } from './proof.js';
import { SESSION_EXTENSION, sessionExtensionSchema } from './session.js';
import { STORAGE_EXTENSION, storageExtensionSchema } from './storage.js';
import { TOOL_ATTESTATION_EXTENSION, toolAttestationExtensionSchema } from './tool-attestation.js';
import { VERIFICATION_EXTENSION, verificationExtensionSchema } from './verification.js';
import { WITNESS_EXTENSION, witnessExtensionSchema } from './witness.js';
import { X402_EXTENSION, x402ExtensionSchema } from './x402.js';

/** The schemas of the known extensions, by key. Another version of an extension counts as unknown. */
export const KNOWN_EXTENSIONS = {
  [AI_EXTENSION]: aiExtensionSchema,
  [AUTH_EXTENSION]: authExtensionSchema,
  [AUTHORIZATION_EXTENSION]: authorizationExtensionSchema,
  [C2PA_EXTENSION]: c2paExtensionSchema,
  [CONTRIB_EXTENSION]: contribExtensionSchema,
  [GIT_EXTENSION]: gitExtensionSchema,
  [GOVERNANCE_EXTENSION]: governanceExtensionSchema,
  [IDENTITY_EXTENSION]: identityExtensionSchema,
  [LICENSE_EXTENSION]: licenseExtensionSchema,
  [MARK_EXTENSION]: markExtensionSchema,
  [ONCHAIN_EXTENSION]: onchainExtensionSchema,
  [OWNERSHIP_CLAIM_EXTENSION]: ownershipClaimExtensionSchema,
  [OWNERSHIP_TRANSFER_EXTENSION]: ownershipTransferExtensionSchema,
  [PAYMENT_EXTENSION]: paymentExtensionSchema,
  [PROOF_EXTENSION]: proofExtensionSchema,
  [SESSION_EXTENSION]: sessionExtensionSchema,
  [STORAGE_EXTENSION]: storageExtensionSchema,
  [TOOL_ATTESTATION_EXTENSION]: toolAttestationExtensionSchema,
  [VERIFICATION_EXTENSION]: verificationExtensionSchema,
  [WITNESS_EXTENSION]: witnessExtensionSchema,
  [X402_EXTENSION]: x402ExtensionSchema,
} as const satisfies Record<`ext:${string}@${string}`, z.ZodType>;

/** The key of a known extension. */
export type KnownExtensionKey = keyof typeof KNOWN_EXTENSIONS;

/** The known extensions of a record, by their keys. */
export type KnownExtensions = { [Key in KnownExtensionKey]?: z.infer<(typeof KNOWN_EXTENSIONS)[Key]> };
