import * as z from 'zod';
import { walletField } from '../evm-address.js';
import { instantAnswer, nameField } from '../records/json-fields.js';
import { webUrlField } from './management-fields.js';

/** Schema of the profile of a user. Null removes a value. */
export const userInputSchema = z
  .strictObject({
    email: z.email().max(254).nullable().optional(),
    name: nameField(128).nullable().optional(),
    avatar: webUrlField.nullable().optional().meta({ description: 'Address of a picture' }),
    wallet: walletField.nullable().optional(),
  })
  .meta({ id: 'UserRequest' });

/** Schema of a user of the control plane. */
export const userSchema = z
  .object({
    id: z.string(),
    privyDid: z.string().meta({ description: 'Same value as `id`, for older clients' }),
    email: z.string().nullable(),
    name: z.string().nullable(),
    avatar: z.string().nullable(),
    wallet: z.string().nullable(),
    createdAt: instantAnswer,
    updatedAt: instantAnswer,
  })
  .meta({ id: 'User' });

/** The parsed profile of a user. */
export type UserInput = z.output<typeof userInputSchema>;
/** A user of the control plane. */
export type User = z.output<typeof userSchema>;
