import * as z from 'zod';
import { actionSchema } from './action.js';
import { attributionSchema } from './attribution.js';
import { entitySchema } from './entity.js';
import { resourceSchema } from './resource.js';

/**
 * Schema of the history of one CID, each list oldest first. `complete` is false when the response lacks actions.
 * `truncatedAt` is then the number of actions in the response.
 */
export const bundleSchema = z
  .object({
    cid: z.string(),
    entities: z.array(entitySchema),
    actions: z.array(actionSchema),
    attributions: z.array(attributionSchema),
    resources: z.array(resourceSchema),
    aliases: z.record(z.string(), z.string()).optional().meta({
      description: 'Aliases that actions and attributions use for listed content: alias -> canonical CID',
    }),
    complete: z.boolean(),
    truncatedAt: z.int().optional(),
  })
  .meta({ id: 'Bundle' });

/** The history of one CID. */
export type Bundle = z.output<typeof bundleSchema>;
