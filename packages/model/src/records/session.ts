import * as z from 'zod';
import { actionSchema } from './action.js';
import { attributionSchema } from './attribution.js';
import { entitySchema } from './entity.js';
import { resourceSchema } from './resource.js';

const count = z.int().nonnegative();

/**
 * Schema of the records of one session, each list oldest first. `complete` is false when the response lacks actions.
 * `truncatedAt` is then the number of actions in the response.
 */
export const sessionSchema = z
  .object({
    sessionId: z.string(),
    actions: z.array(actionSchema),
    resources: z.array(resourceSchema),
    entities: z.array(entitySchema),
    attributions: z.array(attributionSchema),
    summary: z.object({ actions: count, resources: count, entities: count, attributions: count }),
    aliases: z.record(z.string(), z.string()).optional(),
    complete: z.boolean(),
    truncatedAt: z.int().optional(),
  })
  .meta({ id: 'Session' });

/** The records of one session. */
export type Session = z.output<typeof sessionSchema>;
