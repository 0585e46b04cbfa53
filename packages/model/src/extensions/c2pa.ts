import * as z from 'zod';
import { chooseByMember } from './choose-by-member.js';
import { freeMembers, MAX_LISTED, MAX_LISTED_WITHIN, writtenInstant } from './extension-fields.js';

/** Key of the extension for the C2PA manifest of a resource. */
export const C2PA_EXTENSION = 'ext:c2pa@1.0.0';

/** The shape in the service's specification. */
const summary = z.looseObject({
  manifestCid: z.string().min(1),
  generator: z.string().optional(),
  aiDisclosure: z
    .enum(['ai_generated', 'ai_assisted'])
    .nullish()
    .meta({ description: 'AI disclosure; null states that people alone made the content' }),
  actions: z.array(z.string()).max(MAX_LISTED).optional(),
  ingredientCids: z.array(z.string()).max(MAX_LISTED).optional(),
  validSignature: z.boolean().optional(),
  signedBy: z.string().optional(),
});

/** A manifest can have many actors, so the limit is low. */
const MAX_CREDENTIALS = 5;

const credential = z.looseObject({ type: z.string(), url: z.string().optional() });

const actor = z.looseObject({
  type: z.enum(['human', 'ai', 'organization']).optional(),
  name: z.string().optional(),
  identifier: z.string().optional(),
  credentials: z.array(credential).max(MAX_CREDENTIALS).optional(),
});

const action = z.looseObject({
  action: z.string(),
  when: writtenInstant.optional(),
  softwareAgent: z.looseObject({ name: z.string(), version: z.string().optional() }).optional(),
  actors: z.array(actor).max(MAX_LISTED_WITHIN).optional(),
  parameters: freeMembers.optional(),
  digitalSourceType: z.string().optional(),
  reason: z.string().optional(),
  relatedActions: z.array(z.string()).max(MAX_LISTED_WITHIN).optional(),
});

const validationCode = z.looseObject({
  code: z.string(),
  url: z.string().optional(),
  explanation: z.string().optional(),
});

const ingredient = z.looseObject({
  title: z.string(),
  format: z.string().optional(),
  documentId: z.string().optional(),
  instanceId: z.string().optional(),
  hash: z.string().optional(),
  isParent: z.boolean().optional(),
  relationship: z.enum(['parentOf', 'componentOf', 'inputTo']).optional(),
  thumbnail: z
    .looseObject({ format: z.string(), data: z.string().optional().meta({ description: 'Base64' }) })
    .optional(),
  validationStatus: z.array(validationCode).max(MAX_LISTED_WITHIN).optional(),
});

const signature = z.looseObject({
  algorithm: z.string(),
  certificateChain: z.array(z.string()).max(MAX_LISTED).optional(),
  issuer: z.string().optional(),
  timestamp: writtenInstant.optional(),
  tsaUrl: z.string().optional(),
});

/** The shape in the ProvenanceKit package. */
const manifest = z.looseObject({
  manifestLabel: z.string(),
  claimGenerator: z.string(),
  claimGeneratorVersion: z.string().optional(),
  title: z.string().optional(),
  format: z.string().optional(),
  instanceId: z.string().optional(),
  actions: z.array(action).max(MAX_LISTED).optional(),
  ingredients: z.array(ingredient).max(MAX_LISTED).optional(),
  signature: signature.optional(),
  validationStatus: z
    .looseObject({
      isValid: z.boolean(),
      errors: z.array(z.string()).max(MAX_LISTED).optional(),
      warnings: z.array(z.string()).max(MAX_LISTED).optional(),
    })
    .optional(),
  isEmbedded: z.boolean().optional(),
  remoteUrl: z.string().optional(),
  aiDisclosure: z
    .looseObject({
      isAIGenerated: z.boolean(),
      aiTool: z.string().optional(),
      trainingDataUsed: z.boolean().optional(),
    })
    .optional(),
  creativeWork: z
    .looseObject({
      author: z.array(z.string()).max(MAX_LISTED).optional(),
      dateCreated: z.string().optional(),
      copyright: z.string().optional(),
    })
    .optional(),
});

/**
 * Two shapes are valid. The first is `{manifestCid, generator?, aiDisclosure?, actions?, ingredientCids?,
 * validSignature?, signedBy?}` of the service's specification, "Extensions". The second is `{manifestLabel,
 * claimGenerator, ...}` of the ProvenanceKit media package. The member `manifestCid` or `manifestLabel` selects the
 * shape. A value with both members has the first shape. Members that only the second shape defines are then stored
 * unchecked.
 *
 * In the first shape, `actions` are names, and `aiDisclosure` is `ai_generated`, `ai_assisted` or null (made by
 * people alone). In the second shape, `aiDisclosure` and each action are objects. An action name is any string, since
 * C2PA has more names than the ProvenanceKit set lists.
 */
export const c2paExtensionSchema = chooseByMember(z.union([summary, manifest]), [
  ['manifestCid'],
  ['manifestLabel'],
]).meta({ id: 'C2paExtension', description: 'The content of the C2PA manifest of a resource' });

/** The C2PA manifest of a resource. */
export type C2paExtension = z.infer<typeof c2paExtensionSchema>;
