import * as z from 'zod';
import { walletField } from '../evm-address.js';
import { instantAnswer, nameField } from '../records/json-fields.js';
import { webUrlField } from './management-fields.js';

/** What a user says of themself; null removes. */
export const userInputSchema = z
  .strictObject({
    email: z.email().max(254).nullable().optional(),
    name: nameField(128).nullable().optional(),
    avatar: webUrlField.nullable().optional().meta({ description: 'Address of a picture' }),
    wallet: walletField.nullable().optional(),
  })
  .meta({ id: 'UserRequest' });

/** A user of the control plane. */
export const userSchema = z
  .object({
    id: z.string(),
    privyDid: z.string().meta({ description: 'The same as `id`, under the name that older clients read' }),
    email: z.string().nullable(),
    name: z.string().nullable(),
    avatar: z.string().nullable(),
    wallet: z.string().nullable(),
    createdAt: instantAnswer,
    updatedAt: instantAnswer,
  })
  .meta({ id: 'User' });

/** What a user says of themself, parsed. */
export type UserInput = z.output<typeof userInputSchema>;
/** A user of the control plane. */
export type User = z.output<typeof userSchema>;
