import * as z from 'zod';
import { instantAnswer, textField } from '../records/json-fields.js';
import { webUrlField } from './management-fields.js';

/** The events of a project that an endpoint can subscribe to. */
export const WEBHOOK_EVENTS = ['action.recorded', 'action.anchored', 'audit.mismatch'] as const;

const eventSchema = z.enum(WEBHOOK_EVENTS).meta({ id: 'WebhookEvent' });

const urlField = webUrlField
  .refine((text) => {
    if (!URL.canParse(text)) return false;
    const { username, password, hash } = new URL(text);
    return username + password + hash === '';
  }, 'Must not contain a user, password or fragment')
  .meta({
    description: 'URL to which the service posts events',
    examples: ['https://example.org/hooks/colophon'],
  });

const eventsField = z
  .array(eventSchema)
  .min(1)
  .max(WEBHOOK_EVENTS.length)
  .refine((events) => new Set(events).size === events.length, 'Must not contain an event twice');

/** Schema of a new endpoint. */
export const webhookInputSchema = z
  .strictObject({
    url: urlField,
    description: textField(500).optional(),
    events: eventsField.default([...WEBHOOK_EVENTS]).meta({ description: 'Default: all events' }),
  })
  .meta({ id: 'WebhookRequest' });

/** Schema of changes to an endpoint. Absent members stay unchanged. Null removes the description. */
export const webhookPatchSchema = z
  .strictObject({
    url: urlField.optional(),
    description: textField(500).nullable().optional(),
    events: eventsField.optional(),
    disabled: z
      .boolean()
      .optional()
      .meta({ description: 'true disables the endpoint; false enables it again, for events from now on' }),
  })
  .meta({ id: 'WebhookPatch' });

const missedSchema = z
  .object({
    events: z.int().positive(),
    since: instantAnswer.meta({ description: 'When the webhook missed the first of these events' }),
    until: instantAnswer.meta({ description: 'When the webhook missed the last of these events' }),
  })
  .meta({ id: 'WebhookMissed' });

const webhookFields = {
  id: z.uuid(),
  url: z.string(),
  description: z.string().nullable(),
  events: z.array(eventSchema),
  disabledAt: instantAnswer.nullable(),
  disabledReason: z.enum(['asked', 'gone', 'failing']).nullable().meta({
    description:
      '`asked`: a caller disabled the webhook. `gone`: the endpoint responded with 410. `failing`: a delivery failed or waited too long. The endpoint has accepted no delivery since the service created that delivery. null: the webhook is enabled',
  }),
  oldSecretUntil: instantAnswer
    .nullable()
    .meta({ description: 'Until this time, the service also signs with the previous secret' }),
  missed: missedSchema.nullable().meta({
    description:
      'Events that the service did not store, because the pending deliveries of the webhook had reached their maximum number or size. A new count begins after both have fallen to half of their limits. null: no missed events in the last 30 days',
  }),
  createdAt: instantAnswer,
  updatedAt: instantAnswer,
};

/** Schema of an endpoint that receives events of a project. */
export const webhookSchema = z.object(webhookFields).meta({ id: 'Webhook' });

/** Schema of an endpoint with its secret. Only the response to its creation or rotation contains the secret. */
export const webhookWithSecretSchema = z
  .object({
    ...webhookFields,
    secret: z
      .string()
      .meta({ description: 'The secret; only this response contains it', examples: ['whsec_...'] }),
  })
  .meta({ id: 'WebhookWithSecret' });

/** Schema of a delivery: one event to one endpoint, and the result. */
export const webhookDeliverySchema = z
  .object({
    id: z.uuid().meta({ description: 'The `webhook-id` of the delivery, the same in every attempt' }),
    event: z.string().meta({ examples: ['action.recorded', 'ping'] }),
    state: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.int().nonnegative(),
    status: z.int().nullable().meta({ description: 'HTTP status of the last response of the endpoint' }),
    error: z.string().nullable().meta({ description: 'Why the last attempt failed' }),
    createdAt: instantAnswer,
    endedAt: instantAnswer.nullable(),
  })
  .meta({ id: 'WebhookDelivery' });

/** An event of a project that an endpoint can subscribe to. */
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
/** A parsed new endpoint. */
export type WebhookDetails = z.output<typeof webhookInputSchema>;
/** A new endpoint, as a caller sends it. */
export type WebhookRequest = z.input<typeof webhookInputSchema>;
/** Changes to an endpoint. */
export type WebhookPatch = z.output<typeof webhookPatchSchema>;
/** An endpoint that receives events of a project. */
export type Webhook = z.output<typeof webhookSchema>;
/** The number and period of the events that an endpoint missed because its pending deliveries had reached a limit. */
export type WebhookMissed = z.output<typeof missedSchema>;
/** An endpoint with its secret. */
export type WebhookWithSecret = z.output<typeof webhookWithSecretSchema>;
/** A delivery of one event to one endpoint. */
export type WebhookDelivery = z.output<typeof webhookDeliverySchema>;
