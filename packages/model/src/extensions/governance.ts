import * as z from 'zod';
import { MAX_LISTED } from './extension-fields.js';

/** Key of the extension for an organisation's rules on the disclosure of AI content. */
export const GOVERNANCE_EXTENSION = 'ext:governance@1.0.0';

const disclosure = z.looseObject({
  aiInvolved: z.boolean().optional(),
  humanContribution: z.string().optional(),
  aiContribution: z.string().optional(),
  publicSummary: z.string().optional(),
});

/**
 * `{workflow?, purpose?, roleInWorkflow?, disclosure?, requirements?, policyBasis?, riskFlags?, reviewStatus?,
 * note?}`. If `requirements` is absent, no requirement applies. Source: the ProvenanceKit extension set.
 */
export const governanceExtensionSchema = z
  .looseObject({
    workflow: z.string().optional(),
    purpose: z.string().optional(),
    roleInWorkflow: z
      .enum(['source', 'prompt', 'generated-output', 'derived-output', 'reference', 'final-output'])
      .optional(),
    disclosure: disclosure.optional(),
    requirements: z
      .array(z.enum(['R1', 'R2', 'R3', 'R4', 'R5', 'R6']))
      .max(MAX_LISTED)
      .optional(),
    policyBasis: z.array(z.string()).max(MAX_LISTED).optional(),
    riskFlags: z.array(z.string()).max(MAX_LISTED).optional(),
    reviewStatus: z.enum(['not-reviewed', 'review-required', 'reviewed', 'approved']).optional(),
    note: z.string().optional(),
  })
  .meta({
    id: 'GovernanceExtension',
    description: 'The disclosure, policy and review of content made with AI',
  });

/** The disclosure, policy and review of content made with AI. */
export type GovernanceExtension = z.infer<typeof governanceExtensionSchema>;
