import * as z from 'zod';
import { entityIdSchema } from '../records/entity.js';
import { instantAnswer, uuidField } from '../records/json-fields.js';
import { titleField } from './management-fields.js';
import { permissionSchema } from './roles.js';

const keyFields = {
  name: titleField,
  permissions: permissionSchema.default('read'),
  entityId: entityIdSchema.optional().meta({
    description: 'The one entity in whose name the key records, and whose content it transfers; absent: any',
  }),
  expiresInDays: z.int().min(1).max(365).optional().meta({ description: 'Absent: it does not expire' }),
};

const boundEntity = z.string().nullable().meta({ description: 'The one entity that it acts for; null: any' });

/** Whoever may do everything in a project acts for nobody in particular. */
const isBindable = ({ entityId, permissions }: { entityId?: string | undefined; permissions: string }) =>
  entityId === undefined || permissions !== 'admin';
const NOT_BINDABLE = { path: ['entityId'], message: 'A key that may `admin` is bound to no entity' };

/** A new key of the project that the path names. */
export const apiKeyDetailsSchema = z
  .strictObject(keyFields)
  .refine(isBindable, NOT_BINDABLE)
  .meta({ id: 'ApiKeyDetails' });
/** A new key. */
export const apiKeyInputSchema = z
  .strictObject({ projectId: uuidField, ...keyFields })
  .refine(isBindable, NOT_BINDABLE)
  .meta({ id: 'ApiKeyRequest' });

/** How long a key lives on after it was rotated. */
export const rotationInputSchema = z
  .strictObject({ overlapHours: z.int().min(0).max(720).default(24) })
  .meta({ id: 'RotationRequest' });

/** A key as it is shown once, when it is made. */
export const createdApiKeySchema = z
  .object({
    id: z.uuid(),
    key: z.string().meta({ description: 'Shown now and never again' }),
    prefix: z.string(),
    name: z.string(),
    permissions: permissionSchema,
    allows: z.string().meta({ description: 'What the key may do, as a sentence' }),
    entityId: boundEntity,
    projectId: z.uuid(),
    expiresAt: instantAnswer.nullable(),
  })
  .meta({ id: 'CreatedApiKey' });

/** A key as its project lists it. */
export const apiKeySchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    prefix: z.string().meta({ description: 'The first 16 characters of the key' }),
    permissions: permissionSchema,
    entityId: boundEntity,
    createdAt: instantAnswer,
    expiresAt: instantAnswer.nullable(),
    lastUsedAt: instantAnswer.nullable().meta({ description: 'To within a minute' }),
    revokedAt: instantAnswer.nullable(),
  })
  .meta({ id: 'ApiKey' });

/** What a key stands for, asked by a system that was shown one. */
export const keyVerdictSchema = z
  .discriminatedUnion('valid', [
    z.object({
      valid: z.literal(true),
      projectId: z.uuid(),
      orgId: z.uuid(),
      userId: z.string().meta({ description: 'Owner of the organisation' }),
      permissions: permissionSchema,
      entityId: boundEntity,
    }),
    z.object({ valid: z.literal(false), reason: z.enum(['unknown', 'malformed', 'expired', 'revoked']) }),
  ])
  .meta({ id: 'KeyVerdict' });

/** A new key of the project that the path names, parsed. */
export type ApiKeyDetails = z.output<typeof apiKeyDetailsSchema>;
/** A key as it is shown once. */
export type CreatedApiKey = z.output<typeof createdApiKeySchema>;
/** A key as its project lists it. */
export type ApiKey = z.output<typeof apiKeySchema>;
/** What a key stands for. */
export type KeyVerdict = z.output<typeof keyVerdictSchema>;
/** A new key, as it is sent. */
export type ApiKeyRequest = z.input<typeof apiKeyInputSchema>;
/** How long a key lives on after it was rotated, as it is sent. */
export type RotationRequest = z.input<typeof rotationInputSchema>;
