import * as z from 'zod';
import { contentIdSchema } from '../content-id-schema.js';
import { attributionRoleSchema, weightSchema } from '../records/attribution.js';
import { entityIdSchema } from '../records/entity.js';
import { nameField } from '../records/json-fields.js';
import { sharesSchema } from './shares.js';

const POLICIES = ['direct', 'parents', 'all-ancestors'] as const;

/** Schema of a policy. */
export const policySchema = z.enum(POLICIES).meta({
  description:
    '`direct`: the entities that the content credits. `parents`: also the entities that its direct sources credit. `all-ancestors`: the entities that all contents in its history credit',
});

/** Schema of the factor for each action back in the history: a number or fraction above 0, at most 1. */
export const decaySchema = weightSchema.meta({
  description:
    'Factor for the weight of a content. It applies once for each action between the content and the requested content. Above 0, up to 1',
  examples: ['1/2', '0.9'],
});

const earnedSchema = z.object({
  cid: z.string(),
  units: z.int().positive(),
});

const sharedContentSchema = z.object({
  cid: z.string(),
  distance: z.int().nonnegative().meta({
    description:
      'Number of actions from this content to the requested one. An action that made a marked copy does not count in the distance of the original',
  }),
  basis: z.enum(['weights', 'default', 'nobody']).meta({
    description:
      '`weights`: by recorded weights. `default`: without recorded weights, the creators share equally. `nobody`: the content credits nobody and has no part, for example a marked copy, because its original has the part',
  }),
  from: z.object({ cid: z.string(), actionId: z.string() }).optional().meta({
    description:
      'The next content on the shortest path to the requested one, and the action that made this next content',
  }),
});

/** Schema of the shares over a bundle. See `distributeBundle`. */
export const distributionSchema = sharesSchema
  .extend({
    cid: z.string(),
    policy: policySchema,
    decay: z
      .string()
      .optional()
      .meta({ description: 'The applied decay, as a fraction in lowest terms', examples: ['1/2'] }),
    depth: z.int().positive().optional(),
    shares: z.array(
      sharesSchema.shape.shares.element.extend({
        earned: z.array(earnedSchema).meta({ description: 'The units by content; they sum to the share' }),
      }),
    ),
    contents: z.array(sharedContentSchema).meta({ description: 'The contents that count, nearest first' }),
    complete: z
      .boolean()
      .meta({ description: 'False when the bundle may lack actions within the range of the policy' }),
  })
  .meta({ id: 'Distribution' });

/** A policy of a distribution. */
export type Policy = z.output<typeof policySchema>;
/** Shares over a bundle. */
export type Distribution = z.output<typeof distributionSchema>;

const MAX_RECIPIENTS = 10_000;
/** Maximum number of records of each kind (entities, actions, attributions) in the bundle of a preview. */
export const MAX_SENT_RECORDS = 10_000;
const nameOfId = nameField(256);
const cids = z.array(contentIdSchema);
const listOfRecords = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.array(z.object(shape)).max(MAX_SENT_RECORDS);

const recipientSchema = z.strictObject({
  entityId: entityIdSchema,
  weight: weightSchema.optional(),
  wallet: nameOfId.optional(),
});

/** The service ignores all other members. */
const sentBundleSchema = z
  .object({
    cid: contentIdSchema,
    actions: listOfRecords({
      id: nameOfId,
      inputCids: cids.default([]),
      outputCids: cids.default([]),
      // Read to find corrected actions and marked copies.
      extensions: z.record(z.string(), z.unknown()).nullish(),
      recordedAt: z.string().nullish(),
    }),
    attributions: listOfRecords({
      id: nameOfId.optional(),
      entityId: entityIdSchema,
      actionId: nameOfId.optional(),
      resourceCid: contentIdSchema.optional(),
      role: attributionRoleSchema,
      weight: weightSchema.optional(),
      extensions: z.record(z.string(), z.unknown()).optional(),
    }),
    entities: listOfRecords({ id: entityIdSchema, wallet: nameOfId.optional() }).default([]),
    aliases: z.record(z.string(), z.string()).optional(),
    complete: z.boolean().default(true),
  })
  .meta({
    id: 'SentBundle',
    description:
      'A bundle of `GET /v1/bundle/:cid`, or an object with these members; other members are ignored',
  });

/**
 * Schema of the body of a preview request: either weights, or a bundle and its options. `total` is allowed with both.
 */
export const distributionInputSchema = z
  .strictObject({
    weights: z.array(recipientSchema).min(1).max(MAX_RECIPIENTS).optional(),
    bundle: sentBundleSchema.optional(),
    policy: policySchema.optional(),
    total: z.int().positive().optional(),
    decay: decaySchema.optional(),
    depth: z.int().positive().max(10_000).optional(),
  })
  .superRefine(({ weights, bundle, policy, decay, depth }, context) => {
    const report = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if ((weights === undefined) === (bundle === undefined))
      report('weights', 'Send either weights or bundle');
    const given = Object.entries({ policy, decay, depth }).filter(([, value]) => value !== undefined);
    if (weights !== undefined) for (const [name] of given) report(name, 'Allowed only together with bundle');
  })
  .meta({ id: 'DistributionRequest' });

/** The parsed body of a preview request. */
export type DistributionInput = z.output<typeof distributionInputSchema>;
/** The body of a preview request, as a caller sends it. */
export type DistributionRequest = z.input<typeof distributionInputSchema>;
