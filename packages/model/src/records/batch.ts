import * as z from 'zod';
import { actionInputSchema } from './action.js';
import { attributionInputSchema } from './attribution.js';
import { entityInputSchema } from './entity.js';

/** Maximum number of records in each list of a batch: entities, actions, attributions. */
export const MAX_BATCH_LIST = 1000;

/** Schema of a batch: entities, then actions, then attributions. Each record may refer to earlier ones. */
export const batchInputSchema = z
  .strictObject({
    entities: z.array(entityInputSchema).max(MAX_BATCH_LIST).default([]),
    actions: z.array(actionInputSchema).max(MAX_BATCH_LIST).default([]),
    attributions: z.array(attributionInputSchema).max(MAX_BATCH_LIST).default([]),
  })
  .refine(
    ({ entities, actions, attributions }) => entities.length + actions.length + attributions.length > 0,
    {
      path: ['actions'],
      message: 'Send at least one entity, action or attribution',
    },
  )
  .meta({ id: 'BatchRequest' });

const foundSchema = z.object({
  id: z.string(),
  created: z.boolean().meta({ description: 'False when the record already existed' }),
});

/** Schema of the results of a batch: one for each record, in the order of the request. */
export const batchAnswerSchema = z
  .object({
    entities: z.array(foundSchema),
    actions: z.array(
      z.object({
        actionId: z.string(),
        digest: z.string().meta({ description: 'Digest of the record, as `sha256:<hex>`' }),
        replayed: z.boolean().meta({ description: 'True when the same request recorded it before' }),
      }),
    ),
    attributions: z.array(foundSchema),
  })
  .meta({ id: 'BatchAnswer' });

/** A parsed batch. */
export type BatchInput = z.output<typeof batchInputSchema>;
/** A batch, as a caller sends it. */
export type BatchRequest = z.input<typeof batchInputSchema>;
/** The results of a batch. */
export type BatchAnswer = z.output<typeof batchAnswerSchema>;
