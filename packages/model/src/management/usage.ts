import * as z from 'zod';
import { instantAnswer } from '../records/json-fields.js';

const countAnswer = z.int().nonnegative();

const quotaOf = z.object({ used: countAnswer, limit: countAnswer.nullable() });

/** Schema of the usage of a project in the last 30 UTC days, today included. */
export const usageSchema = z
  .object({
    summary: z.object({
      totalCalls: countAnswer,
      successRate: z
        .number()
        .meta({ description: 'Percentage of calls with a status below 400; 100 if there were no calls' }),
      period: z.literal('month'),
    }),
    byDay: z
      .array(z.object({ date: z.iso.date(), total: countAnswer, success: countAnswer }))
      .meta({ description: 'Every day of the period, oldest first' }),
    bytesStored: countAnswer,
    actionsRecorded: countAnswer,
    byStatus: z.array(z.object({ status: z.int(), calls: countAnswer })),
    byKey: z
      .array(
        z.object({
          keyId: z.string().meta({
            description:
              'Id of a key; `static:...` for a key of API_KEYS; `page` for users of the page; `other` for calls that are not counted by key',
          }),
          calls: countAnswer,
          bytesStored: countAnswer,
          actionsRecorded: countAnswer,
        }),
      )
      .meta({ description: 'The 1,000 keys with the most requests' }),
    quota: z
      .object({ storedBytes: quotaOf, records: quotaOf, requestsThisMonth: quotaOf })
      .meta({ description: 'Usage so far, with the limits of the project' }),
  })
  .meta({ id: 'Usage' });

/** Schema of the newest requests to a project. */
export const requestLogSchema = z
  .object({
    logs: z.array(
      z.object({
        id: z.uuid(),
        endpoint: z.string().meta({ examples: ['POST /v1/activity'] }),
        resourceType: z.string().nullable(),
        statusCode: z.int(),
        timestamp: instantAnswer,
      }),
    ),
  })
  .meta({ id: 'RequestLog' });

/** The usage of a project. */
export type Usage = z.output<typeof usageSchema>;
/** The newest requests to a project. */
export type RequestLog = z.output<typeof requestLogSchema>;
