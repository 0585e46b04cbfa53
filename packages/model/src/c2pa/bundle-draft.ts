import * as z from 'zod';
import { actionSchema } from '../records/action.js';
import { attributionSchema } from '../records/attribution.js';
import { entitySchema } from '../records/entity.js';
import { instantAnswer } from '../records/json-fields.js';
import { resourceSchema } from '../records/resource.js';

/** Entity of a manifest: an entity record without the members that recording adds. */
export const entityDraftSchema = entitySchema.omit({ createdAt: true });

/** Action of a manifest; `timestamp` is absent when the file states no time. */
export const actionDraftSchema = actionSchema
  .omit({ recordedAt: true, digest: true, proof: true })
  .extend({ timestamp: instantAnswer.optional() });

/** Attribution of a manifest. */
export const attributionDraftSchema = attributionSchema.omit({ createdAt: true });

/** Content of a manifest. */
export const resourceDraftSchema = resourceSchema.omit({ createdAt: true, state: true });

/** The records of a file's manifest before they are recorded; each list oldest first. */
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

/** Entity of a manifest. */
export type EntityDraft = z.output<typeof entityDraftSchema>;
/** Action of a manifest. */
export type ActionDraft = z.output<typeof actionDraftSchema>;
/** Attribution of a manifest. */
export type AttributionDraft = z.output<typeof attributionDraftSchema>;
/** Content of a manifest. */
export type ResourceDraft = z.output<typeof resourceDraftSchema>;
/** The records of a file's manifest before they are recorded. */
export type BundleDraft = z.output<typeof bundleDraftSchema>;
