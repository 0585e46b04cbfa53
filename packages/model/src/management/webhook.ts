import * as z from 'zod';
import { instantAnswer, textField } from '../records/json-fields.js';
import { webUrlField } from './management-fields.js';

/** What a project's addresses can be told of. */
export const WEBHOOK_EVENTS = ['action.recorded', 'action.anchored', 'audit.mismatch'] as const;

const eventSchema = z.enum(WEBHOOK_EVENTS).meta({ id: 'WebhookEvent' });

const urlField = webUrlField
  .refine((text) => {
    if (!URL.canParse(text)) return false;
    const { username, password, hash } = new URL(text);
    return username + password + hash === '';
  }, 'Must have neither user, password nor fragment')
  .meta({ description: 'Where messages are posted to', examples: ['https://example.org/hooks/colophon'] });

const eventsField = z
  .array(eventSchema)
  .min(1)
  .max(WEBHOOK_EVENTS.length)
  .refine((events) => new Set(events).size === events.length, 'Must name each event once');

/** A new address. */
export const webhookInputSchema = z
  .strictObject({
    url: urlField,
    description: textField(500).optional(),
    events: eventsField.default([...WEBHOOK_EVENTS]).meta({ description: 'Absent: all of them' }),
  })
  .meta({ id: 'WebhookRequest' });

/** Changes to an address: what is absent stays. */
export const webhookPatchSchema = z
  .strictObject({
    url: urlField.optional(),
    description: textField(500).nullable().optional(),
    events: eventsField.optional(),
    disabled: z.boolean().optional().meta({ description: 'false sends again, from now on' }),
  })
  .meta({ id: 'WebhookPatch' });

const webhookFields = {
  id: z.uuid(),
  url: z.string(),
  description: z.string().nullable(),
  events: z.array(eventSchema),
  disabledAt: instantAnswer.nullable(),
  disabledReason: z.enum(['asked', 'gone', 'failing']).nullable().meta({
    description: '`gone`: it answered 410; `failing`: a message was given up and nothing else got through',
  }),
  oldSecretUntil: instantAnswer
    .nullable()
    .meta({ description: 'Until then messages are also signed with the secret before' }),
  createdAt: instantAnswer,
  updatedAt: instantAnswer,
};

/** An address that is told of what happens in a project. */
export const webhookSchema = z.object(webhookFields).meta({ id: 'Webhook' });

/** An address with its secret, as it is shown once. */
export const webhookWithSecretSchema = z
  .object({
    ...webhookFields,
    secret: z.string().meta({ description: 'Shown now and never again', examples: ['whsec_...'] }),
  })
  .meta({ id: 'WebhookWithSecret' });

/** One message to one address, and what became of it. */
export const webhookDeliverySchema = z
  .object({
    id: z.uuid().meta({ description: 'The message’s `webhook-id`, the same at every attempt' }),
    event: z.string().meta({ examples: ['action.recorded', 'ping'] }),
    state: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.int().nonnegative(),
    status: z.int().nullable().meta({ description: 'HTTP status of the last answer' }),
    error: z.string().nullable().meta({ description: 'Why the last attempt failed' }),
    createdAt: instantAnswer,
    endedAt: instantAnswer.nullable(),
  })
  .meta({ id: 'WebhookDelivery' });

/** What a project's addresses can be told of. */
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
/** A new address, parsed. */
export type WebhookDetails = z.output<typeof webhookInputSchema>;
/** A new address, as it is sent. */
export type WebhookRequest = z.input<typeof webhookInputSchema>;
/** Changes to an address. */
export type WebhookPatch = z.output<typeof webhookPatchSchema>;
/** An address that is told of what happens in a project. */
export type Webhook = z.output<typeof webhookSchema>;
/** An address with its secret, as it is shown once. */
export type WebhookWithSecret = z.output<typeof webhookWithSecretSchema>;
/** One message to one address. */
export type WebhookDelivery = z.output<typeof webhookDeliverySchema>;
