import { bundleSchema, contentIdSchema } from '@colophon/model';
import { z } from 'zod';
import { readBundleText } from '../../records/records.sql.js';
import type { App, AppNeeds } from '../app.js';
import { sendJsonText } from '../send-json-text.js';
import { errorsOf, readyMade } from './errors-of.js';
import { projectOf } from './holder.js';

const MAX_ACTIONS = 10_000;

/** `GET /v1/bundle/:cid`: the history of a CID. */
export function bundleRoutes(app: App, { records }: AppNeeds): void {
  app.get(
    '/v1/bundle/:cid',
    {
      schema: {
        operationId: 'getBundle',
        tags: ['records'],
        summary: 'The history of a CID: everything it was made from, and by whom',
        params: z.object({ cid: contentIdSchema }),
        querystring: z.strictObject({
          limit: z.coerce
            .number()
            .int()
            .min(1)
            .max(MAX_ACTIONS)
            .default(MAX_ACTIONS)
            .meta({ description: 'Most actions in the answer; the nearest ones are kept' }),
        }),
        response: readyMade({ 200: bundleSchema, ...errorsOf('InvalidField', 'NotFound') }),
      },
    },
    async (request, reply) => {
      const { cid } = request.params;
      const { limit } = request.query;
      const text = await readBundleText(records.provenance, projectOf(request), { cid, limit });
      return sendJsonText(reply, text, `This project knows nothing of ${cid}.`);
    },
  );
}
