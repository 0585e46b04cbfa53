import * as z from 'zod';
import { instantAnswer, nameField, type OpenWord } from './json-fields.js';

const RESOURCE_TYPES = ['image', 'text', 'audio', 'video', 'code', 'dataset', 'model', 'other'] as const;

/** A kind of content; any other name is one too. */
export type ResourceType = OpenWord<(typeof RESOURCE_TYPES)[number]>;

/** `image`, `text`, ... or any name of the caller's own, 1 to 64 characters. */
export const resourceTypeSchema = nameField(64).meta({
  description: 'Kind of content',
  examples: [...RESOURCE_TYPES],
}) as z.ZodType<ResourceType, ResourceType>;

/** `claimed`: somebody said they made it. `referenced`: it is from elsewhere, origin unknown. Else null. */
export const resourceStateSchema = z.enum(['claimed', 'referenced']).nullable();

/** Where bytes are. `status` tells of a pinning service whether they are there yet. */
const locationSchema = z.object({
  uri: z.string(),
  provider: z.string().optional(),
  status: z.enum(['pending', 'pinned', 'failed']).optional(),
});

/** Content as stored and shown. `size` is in bytes; `createdBy` is absent when the origin is unknown. */
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
      .meta({ description: 'To whom it was transferred; else it is its creator’s' }),
    rootAction: z.string().optional(),
    state: resourceStateSchema,
    extensions: z.record(z.string(), z.unknown()).optional(),
    createdAt: instantAnswer,
  })
  .meta({ id: 'Resource' });

/** Content as stored and shown. */
export type Resource = z.output<typeof resourceSchema>;
/** State of recorded content. */
export type ResourceState = z.output<typeof resourceStateSchema>;
