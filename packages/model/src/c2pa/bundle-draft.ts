import * as z from 'zod';
import { actionSchema } from '../records/action.js';
import { attributionSchema } from '../records/attribution.js';
import { entitySchema } from '../records/entity.js';
import { instantAnswer } from '../records/json-fields.js';
import { resourceSchema } from '../records/resource.js';

/** Omits the members that recording adds. */
const entityDraftSchema = entitySchema.omit({ createdAt: true });

/** `timestamp` is absent when the file states no time. */
const actionDraftSchema = actionSchema
  .omit({ recordedAt: true, digest: true, proof: true })
  .extend({ timestamp: instantAnswer.optional() });

const attributionDraftSchema = attributionSchema.omit({ createdAt: true });

const resourceDraftSchema = resourceSchema.omit({ createdAt: true, state: true });

/** Schema of the records of a file's manifest before the service records them. Each list is oldest first. */
export const bundleDraftSchema = z
  .object({
    cid: z.string(),
    entities: z.array(entityDraftSchema),
    actions: z.array(actionDraftSchema),
    attributions: z.array(attributionDraftSchema),
    resources: z.array(resourceDraftSchema),
    complete: z.boolean(),
  })
  .meta({ id: 'C2paBundle', description: 'The records of the manifest, not yet recorded' });

/** An entity from a manifest. */
export type EntityDraft = z.output<typeof entityDraftSchema>;
/** An action from a manifest. */
export type ActionDraft = z.output<typeof actionDraftSchema>;
/** An attribution from a manifest. */
export type AttributionDraft = z.output<typeof attributionDraftSchema>;
/** A resource from a manifest. */
export type ResourceDraft = z.output<typeof resourceDraftSchema>;
/** The records of a file's manifest before the service records them. */
export type BundleDraft = z.output<typeof bundleDraftSchema>;
