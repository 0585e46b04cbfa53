import * as z from 'zod';
import { MAX_LISTED, writtenInstant } from './extension-fields.js';

/** Key of the extension for the Git commit of an action. */
export const GIT_EXTENSION = 'ext:git@1.0.0';

const count = z.int().nonnegative();

const aiAssisted = z.looseObject({
  tool: z.string(),
  confidence: z.number().min(0).max(1),
  indicators: z.array(z.string()).max(MAX_LISTED),
  model: z.string().optional(),
});

const signature = z.looseObject({
  type: z.enum(['gpg', 'ssh', 'x509']),
  verified: z.boolean(),
  signer: z.string().optional(),
  keyId: z.string().optional(),
});

const person = z.looseObject({ name: z.string(), email: z.string(), timestamp: writtenInstant });

/**
 * `{repository, branch, commit, message, filesChanged, linesAdded, linesRemoved, parents?, aiAssisted?, ...}`.
 *
 * `aiAssisted.confidence` is from 0 to 1. The service checks only the shape: `signature.verified` is the caller's
 * claim. Source: the ProvenanceKit git package.
 */
export const gitExtensionSchema = z
  .looseObject({
    repository: z.string(),
    branch: z.string(),
    commit: z.string(),
    message: z.string(),
    parents: z.array(z.string()).max(MAX_LISTED).optional(),
    filesChanged: count,
    linesAdded: count,
    linesRemoved: count,
    aiAssisted: aiAssisted.optional(),
    signature: signature.optional(),
    author: person.optional(),
    committer: person.optional(),
    tags: z.array(z.string()).max(MAX_LISTED).optional(),
  })
  .meta({ id: 'GitExtension', description: 'The commit of an action' });

/** The Git commit of an action. */
export type GitExtension = z.infer<typeof gitExtensionSchema>;
