import * as z from 'zod';
import { freeMembers, MAX_LISTED, writtenInstant } from './extension-fields.js';

/** Key of the extension for the storage of content. */
export const STORAGE_EXTENSION = 'ext:storage@1.0.0';

const replica = z.looseObject({
  provider: z.string(),
  status: z.enum(['pending', 'active', 'failed', 'expired']),
  region: z.string().optional(),
  expiresAt: writtenInstant.optional(),
  metadata: freeMembers.optional(),
});

/**
 * `{pinned?, replicas?: [{provider, status, region?, expiresAt?, metadata?}], totalSize?, encrypted?, ...}`.
 *
 * `totalSize` is in bytes, and `contentType` is a media type. Source: the ProvenanceKit extension set.
 */
export const storageExtensionSchema = z
  .looseObject({
    pinned: z.boolean().optional(),
    replicas: z.array(replica).max(MAX_LISTED).optional(),
    totalSize: z.number().nonnegative().optional().meta({ description: 'Bytes' }),
    encrypted: z.boolean().optional(),
    contentType: z.string().optional(),
    lastVerified: writtenInstant.optional(),
    checksum: z.string().optional(),
  })
  .meta({ id: 'StorageExtension', description: 'Where and how content is stored' });

/** The storage of content: providers, size and format. */
export type StorageExtension = z.infer<typeof storageExtensionSchema>;
