import * as z from 'zod';
import { entityIdSchema } from '../records/entity.js';
import { instantAnswer, uuidField } from '../records/json-fields.js';
import { titleField } from './management-fields.js';
import { permissionSchema } from './roles.js';

const keyFields = {
  name: titleField,
  permissions: permissionSchema.default('read'),
  entityId: entityIdSchema.optional().meta({
    description:
      'The only entity for which the key can record. The key can transfer only the content of this entity. Default: every entity',
  }),
  expiresInDays: z.int().min(1).max(365).optional().meta({ description: 'Default: the key does not expire' }),
};

const boundEntity = z
  .string()
  .nullable()
  .meta({ description: 'The only entity that the key acts for; null: any' });

/** With `admin`, a key can act for every entity of the project. */
const allowsEntity = ({ entityId, permissions }: { entityId?: string | undefined; permissions: string }) =>
  entityId === undefined || permissions !== 'admin';
const ADMIN_WITH_ENTITY = {
  path: ['entityId'],
  message: 'A key with the permission `admin` cannot be bound to an entity; leave entityId out',
};

/** Schema of a new key for the project in the path. */
export const apiKeyDetailsSchema = z
  .strictObject(keyFields)
  .refine(allowsEntity, ADMIN_WITH_ENTITY)
  .meta({ id: 'ApiKeyDetails' });
/** Schema of a new key for the project `projectId`. */
export const apiKeyInputSchema = z
  .strictObject({ projectId: uuidField, ...keyFields })
  .refine(allowsEntity, ADMIN_WITH_ENTITY)
  .meta({ id: 'ApiKeyRequest' });

/** Schema of a rotation, with the number of hours for which the old key stays valid. */
export const rotationInputSchema = z
  .strictObject({ overlapHours: z.int().min(0).max(720).default(24) })
  .meta({ id: 'RotationRequest' });

/** Schema of a new key with its secret. Only the response to a creation or rotation contains the secret. */
export const createdApiKeySchema = z
  .object({
    id: z.uuid(),
    key: z.string().meta({ description: 'The secret key; only this response contains it' }),
    prefix: z.string(),
    name: z.string(),
    permissions: permissionSchema,
    allows: z.string().meta({ description: 'What the key may do, as a sentence' }),
    entityId: boundEntity,
    projectId: z.uuid(),
    expiresAt: instantAnswer.nullable(),
  })
  .meta({ id: 'CreatedApiKey' });

/** Schema of a key in the list of its project. */
export const apiKeySchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    prefix: z.string().meta({ description: 'The first 16 characters of the key' }),
    permissions: permissionSchema,
    entityId: boundEntity,
    createdAt: instantAnswer,
    expiresAt: instantAnswer.nullable(),
    lastUsedAt: instantAnswer.nullable().meta({ description: 'Time of the last use, accurate to a minute' }),
    revokedAt: instantAnswer.nullable(),
  })
  .meta({ id: 'ApiKey' });

/** Schema of the validation result of a key, for a system that received the key. */
export const keyVerdictSchema = z
  .discriminatedUnion('valid', [
    z.object({
      valid: z.literal(true),
      projectId: z.uuid(),
      orgId: z.uuid(),
      userId: z.string().meta({ description: 'The earliest of the current owners of the organisation' }),
      permissions: permissionSchema,
      entityId: boundEntity,
    }),
    z.object({ valid: z.literal(false), reason: z.enum(['unknown', 'malformed', 'expired', 'revoked']) }),
  ])
  .meta({ id: 'KeyVerdict' });

/** A parsed new key for the project in the path. */
export type ApiKeyDetails = z.output<typeof apiKeyDetailsSchema>;
/** A key with its secret. */
export type CreatedApiKey = z.output<typeof createdApiKeySchema>;
/** A key in the list of its project. */
export type ApiKey = z.output<typeof apiKeySchema>;
/** The validation result of a key. */
export type KeyVerdict = z.output<typeof keyVerdictSchema>;
/** A new key, as a caller sends it. */
export type ApiKeyRequest = z.input<typeof apiKeyInputSchema>;
/** A rotation, as a caller sends it. */
export type RotationRequest = z.input<typeof rotationInputSchema>;
