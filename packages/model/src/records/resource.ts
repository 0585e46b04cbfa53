import * as z from 'zod';
import { instantAnswer, nameField, type OpenWord } from './json-fields.js';

const RESOURCE_TYPES = ['image', 'text', 'audio', 'video', 'code', 'dataset', 'model', 'other'] as const;

/** A type of content. Names that are not in `RESOURCE_TYPES` are valid too. */
export type ResourceType = OpenWord<(typeof RESOURCE_TYPES)[number]>;

/** Schema of a type of content: `image`, `text`, ... or any other name of 1 to 64 characters. */
export const resourceTypeSchema = nameField(64).meta({
  description: 'Kind of content',
  examples: [...RESOURCE_TYPES],
}) as z.ZodType<ResourceType, ResourceType>;

/**
 * Schema of the state of content. `claimed`: an entity states that it made the content. `referenced`: the content comes
 * from elsewhere, with unknown origin. The state of any other content is null.
 */
export const resourceStateSchema = z.enum(['claimed', 'referenced']).nullable();

/** `status`: state of the upload to a pinning service. */
const locationSchema = z.object({
  uri: z.string(),
  provider: z.string().optional(),
  status: z.enum(['pending', 'pinned', 'failed']).optional(),
});

/** Schema of content. `size` is in bytes. `createdBy` is absent when the origin is unknown. */
export const resourceSchema = z
  .object({
    cid: z.string(),
    type: z.string(),
    mimeType: z.string().optional(),
    size: z.int().nonnegative().optional(),
    locations: z.array(locationSchema),
    createdBy: z.string().optional(),
    owner: z
      .string()
      .optional()
      .meta({ description: 'The owner after a transfer; without a transfer, the creator is the owner' }),
    rootAction: z.string().optional(),
    state: resourceStateSchema,
    extensions: z.record(z.string(), z.unknown()).optional(),
    createdAt: instantAnswer,
  })
  .meta({ id: 'Resource' });

/** Content as the service stores and returns it. */
export type Resource = z.output<typeof resourceSchema>;
/** The state of recorded content. */
export type ResourceState = z.output<typeof resourceStateSchema>;
