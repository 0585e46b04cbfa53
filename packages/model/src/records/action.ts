import * as z from 'zod';
import { contentIdSchema } from '../content-id-schema.js';
import { sentProofSchema } from '../proofs/sent-proof.js';
import { entityIdSchema } from './entity.js';
import { erasureSchema } from './erasure.js';
import { extensionsField } from './extensions.js';
import { instantAnswer, instantField, nameField, uuidField, wordField } from './json-fields.js';
import { onchainSchema } from './onchain.js';
import { resourceTypeSchema } from './resource.js';

/** Maximum number of inputs, and maximum number of outputs, of one action. */
export const MAX_ACTION_CIDS = 1000;

/** Schema of an action type: a type of the service's specification, or a custom type `ext:<ns>[@<semver>]`. */
export const actionTypeSchema = wordField(
  ['create', 'reference', 'generate', 'transform', 'aggregate', 'verify'],
  { own: /^ext:[a-zA-Z]\w*(?::\w+)*(?:@\d+\.\d+\.\d+)?$/, ownForm: 'ext:<ns>[@<semver>]' },
);

/** Schema of the AI tool that an action used. */
export const aiToolSchema = z
  .strictObject({ provider: nameField(256), model: nameField(256), version: nameField(128).optional() })
  .meta({ id: 'AiTool' });

const contentIds = z
  .array(contentIdSchema)
  .max(MAX_ACTION_CIDS)
  .refine((cids) => new Set(cids).size === cids.length, 'Must not contain a content twice');

/** Schema of the id of a session, which the caller chooses. */
export const sessionIdSchema = nameField(256).meta({ description: 'Groups the actions of one session' });

const common = {
  id: uuidField.optional().meta({
    description:
      'UUID of the action. A repeated request with the same id gets the response of the first request',
  }),
  type: actionTypeSchema.default('create'),
  inputCids: contentIds.default([]),
  aiTool: aiToolSchema.optional(),
  extensions: extensionsField.default({}),
  proof: sentProofSchema.optional(),
  timestamp: instantField.optional().meta({ description: 'Time of the action; default: now' }),
};

/** The output is the file. */
export const fileActionInputSchema = z
  .strictObject({ ...common, sessionId: sessionIdSchema.optional() })
  .meta({ id: 'FileActionRequest' });

/** Each list can have a thousand items. */
function haveCommon(one: readonly string[], other: readonly string[]): boolean {
  const known = new Set(one);
  return other.some((item) => known.has(item));
}

/** Schema of the body of an action that is recorded without a file. */
export const actionInputSchema = z
  .strictObject({
    ...common,
    performedBy: entityIdSchema,
    outputCids: contentIds.default([]),
    sessionId: sessionIdSchema.optional(),
    resourceType: resourceTypeSchema.default('other').meta({ description: 'Type of the outputs' }),
  })
  .refine(({ inputCids, outputCids }) => !haveCommon(inputCids, outputCids), {
    path: ['outputCids'],
    message: 'Remove the content from one of the two lists: an output cannot be an input of the same action',
  })
  .meta({ id: 'ActionRequest' });

/** Schema of an action in storage and in responses. `digest` is `sha256:<hex>`, the record digest, version 1. */
export const actionSchema = z
  .object({
    id: z.string(),
    type: z.string(),
    performedBy: z.string(),
    inputCids: z.array(z.string()),
    outputCids: z.array(z.string()),
    sessionId: z.string().optional(),
    aiTool: aiToolSchema.optional(),
    extensions: z.record(z.string(), z.unknown()),
    proof: sentProofSchema.optional(),
    timestamp: instantAnswer,
    recordedAt: instantAnswer,
    digest: z.string(),
    erasure: erasureSchema.optional(),
    onchain: onchainSchema
      .optional()
      .meta({ description: 'Present after the anchoring on a chain has begun' }),
  })
  .meta({ id: 'Action' });

/** The parsed action of a file recording. */
export type FileActionInput = z.output<typeof fileActionInputSchema>;
/** A parsed action that is recorded without a file. */
export type ActionInput = z.output<typeof actionInputSchema>;
/** The type of an action, such as `create`. */
export type ActionType = z.output<typeof actionTypeSchema>;
/** An action as the service stores and returns it. */
export type Action = z.output<typeof actionSchema>;
/** An action that is recorded without a file, as a caller sends it. */
export type ActionRequest = z.input<typeof actionInputSchema>;
