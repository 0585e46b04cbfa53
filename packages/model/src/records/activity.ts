import * as z from 'zod';
import { receiptSchema } from '../log/receipt.js';
import { fileActionInputSchema, sessionIdSchema } from './action.js';
import { attributionDetailsSchema } from './attribution.js';
import { entityInputSchema } from './entity.js';
import { matchSchema } from './match.js';
import { onchainSchema } from './onchain.js';
import { resourceStateSchema, resourceTypeSchema } from './resource.js';
import { titleSchema } from './title.js';

/** Schema of the form part `json` of a file recording. */
export const activityInputSchema = z
  .strictObject({
    entity: entityInputSchema,
    action: fileActionInputSchema.prefault({}),
    resourceType: resourceTypeSchema.optional(),
    sessionId: sessionIdSchema.optional(),
    attribution: attributionDetailsSchema.optional(),
    title: titleSchema.nullable().optional().meta({
      description: 'Title of the content; default: the name of the file. Null: the content gets no title',
    }),
    ifNameDiffers: z
      .enum(['report', 'refuse'])
      .optional()
      .meta({
        description:
          'Applies when the entity is stored with another name. `report` (default): the service records the file, ' +
          'keeps the stored name and returns both names in `nameDiffers`. `refuse`: the service responds with 409',
      }),
  })
  .refine(
    ({ sessionId, action }) => sessionId === (action.sessionId ?? sessionId) || sessionId === undefined,
    {
      path: ['action', 'sessionId'],
      message:
        '`action.sessionId` differs from `sessionId`; send the same value in both, or only one of them',
    },
  )
  .meta({ id: 'ActivityRequest' });

/** Schema of the response to a file recording. `size` is in bytes; `matches` lists similar content. */
export const activityResultSchema = z
  .object({
    cid: z.string(),
    actionId: z.string(),
    entityId: z.string(),
    resourceType: z.string(),
    mimeType: z.string(),
    size: z.int().nonnegative(),
    state: resourceStateSchema,
    matches: z.array(matchSchema),
    matchesComplete: z.boolean().optional().meta({
      description:
        'False when the search was not finished in time for this response; GET /v1/similar/{cid} can list more matches',
    }),
    nameDiffers: z.object({ stored: z.string().nullable(), sent: z.string() }).optional().meta({
      description:
        'The stored and the sent name of the entity, when they differ. The stored name stays unchanged. `stored` is null when the entity has no name',
    }),
    onchain: onchainSchema.optional(),
    receipt: receiptSchema.optional(),
  })
  .meta({ id: 'ActivityResult' });

/** The parsed form part `json` of a file recording. */
export type ActivityInput = z.output<typeof activityInputSchema>;
/** The response to a file recording. */
export type ActivityResult = z.output<typeof activityResultSchema>;
/** The form part `json` of a file recording, as a caller sends it. */
export type ActivityRequest = z.input<typeof activityInputSchema>;
