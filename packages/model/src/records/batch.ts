import * as z from 'zod';
import { actionInputSchema } from './action.js';
import { attributionInputSchema } from './attribution.js';
import { entityInputSchema } from './entity.js';

/** Most entities, most actions and most attributions that one batch may hold. */
export const MAX_BATCH_RECORDS = 1000;

/** Body of a batch: entities first, then actions, then attributions; each may name what stands before it. */
export const batchInputSchema = z
  .strictObject({
    entities: z.array(entityInputSchema).max(MAX_BATCH_RECORDS).default([]),
    actions: z.array(actionInputSchema).max(MAX_BATCH_RECORDS).default([]),
    attributions: z.array(attributionInputSchema).max(MAX_BATCH_RECORDS).default([]),
  })
  .refine(
    ({ entities, actions, attributions }) => entities.length + actions.length + attributions.length > 0,
    {
      path: ['actions'],
      message: 'Name at least one entity, action or attribution',
    },
  )
  .meta({ id: 'BatchRequest' });

const foundSchema = z.object({
  id: z.string(),
  created: z.boolean().meta({ description: 'False when it was there before' }),
});

/** What became of a batch: an answer for each record, in the order in which they were sent. */
export const batchAnswerSchema = z
  .object({
    entities: z.array(foundSchema),
    actions: z.array(
      z.object({
        actionId: z.string(),
        digest: z.string().meta({ description: 'Of the record, as `sha256:<hex>`' }),
        replayed: z.boolean().meta({ description: 'Recorded before by the same request' }),
      }),
    ),
    attributions: z.array(foundSchema),
  })
  .meta({ id: 'BatchAnswer' });

/** A batch, parsed. */
export type BatchInput = z.output<typeof batchInputSchema>;
/** A batch, as it is sent. */
export type BatchRequest = z.input<typeof batchInputSchema>;
/** What became of a batch. */
export type BatchAnswer = z.output<typeof batchAnswerSchema>;
