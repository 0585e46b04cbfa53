import {
  contentIdSchema,
  decaySchema,
  distributionInputSchema,
  distributionSchema,
  policySchema,
  sharesSchema,
} from '@colophon/model';
import { z } from 'zod';
import { absent } from '../../records/read/absent.js';
import { toAnswer } from '../../records/read/answers.js';
import { previewDistribution, readDistributionText } from '../../records/read/read-distribution.js';
import type { App, AppDeps } from '../app.js';
import { assertFewContents, assertNames } from '../handlers/check-contents.js';
import { parsePreview } from '../handlers/parse-lists.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { errorsOf, readyMade } from '../wire/error-schemas.js';
import { wholeNumberQuery } from '../wire/list-query.js';
import { projectOf } from '../wire/principal-of.js';
import { sendAnswer } from '../wire/send-answer.js';
import { passBody } from '../wire/validate-request.js';

const MAX_DEPTH = 100;

const totalQuery = z
  .string()
  .regex(/^\d{1,16}$/, 'must be a whole number')
  .transform(Number)
  .refine((total) => total >= 1 && Number.isSafeInteger(total), 'must be a whole number from 1 to 2^53 - 1')
  .meta({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, pattern: undefined })
  .meta({ description: 'Number of units to distribute; default 10000 (basis points)' });

export function distributionRoutes(app: App, deps: Pick<AppDeps, 'records' | 'maxContents'>): void {
  getDistribution(app, deps);
  preview(app, deps);
}

function getDistribution(app: App, { records }: Pick<AppDeps, 'records'>): void {
  app.get(
    '/v1/distribution/:cid',
    {
      schema: {
        operationId: 'getDistribution',
        tags: ['records'],
        summary: 'The shares of the contributors of a content, computed from its history',
        params: z.object({ cid: contentIdSchema }),
        querystring: z.strictObject({
          policy: policySchema.default('direct'),
          total: totalQuery.optional(),
          decay: decaySchema.optional(),
          depth: wholeNumberQuery(1, MAX_DEPTH).optional().meta({
            description:
              'Maximum distance in actions for the policy all-ancestors; default: the whole history',
          }),
        }),
        response: readyMade({ 200: distributionSchema, ...errorsOf('InvalidField', 'NotFound', 'Timeout') }),
      },
    },
    async (request, reply) => {
      const { cid } = request.params;
      const asked = { cid, ...request.query, signal: signalOfCaller(reply) };
      const text = await readDistributionText(records, projectOf(request), asked);
      if (text === undefined) throw absent('content', cid, `This project has no record of ${cid}.`);
      return sendAnswer(reply, await toAnswer(text));
    },
  );
}

const USE_STORED = 'Use GET /v1/distribution/:cid, which reads the recorded history';

function preview(app: App, { records, maxContents }: Pick<AppDeps, 'records' | 'maxContents'>): void {
  app.post(
    '/v1/distribution/preview',
    {
      config: { holdsMany: true },
      // The hook below checks the body, in steps.
      validatorCompiler: passBody,
      preValidation: async (request, reply) => {
        const { bundle } = Object(request.body) as { bundle?: unknown };
        assertFewContents(request, maxContents.preview, { lists: bundle, recovery: USE_STORED });
        const signal = signalOfCaller(reply);
        await assertNames(bundle, { at: 'bundle.', signal });
        request.body = await parsePreview(request.body, signal);
      },
      schema: {
        operationId: 'previewDistribution',
        tags: ['records'],
        summary: 'Compute shares from weights or from a bundle in the request; nothing is read or stored',
        body: distributionInputSchema,
        response: {
          200: z.union([distributionSchema, sharesSchema]).describe('Shares from a bundle, or from weights'),
          ...errorsOf('InvalidField', 'ValidationError', 'Unsupported', 'PayloadTooLarge'),
        },
      },
    },
    async (request, reply) => {
      const asked = { input: request.body, signal: signalOfCaller(reply) };
      return previewDistribution(records, projectOf(request), asked);
    },
  );
}
