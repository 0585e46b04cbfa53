import { contentIdSchema, contentIsccSchema, isccSearchResultSchema } from '@colophon/model';
import { z } from 'zod';
import { parseIscc } from '../../records/matching/parse-iscc.js';
import { getContentIscc, searchIscc } from '../../records/matching/search-iscc.js';
import type { App, AppDeps } from '../app.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { errorsOf } from '../wire/error-schemas.js';
import { wholeNumberQuery } from '../wire/list-query.js';
import { projectOf } from '../wire/principal-of.js';

const MAX_MATCHES = 50;
/** Maximum length of a code in a request. An ISCC-CODE with all of its ISCC-UNITs has 73 characters. */
const MAX_CODE_LENGTH = 200;

/** Codes of ISO 24138. */
export function isccRoutes(app: App, deps: Pick<AppDeps, 'records'>): void {
  getSearch(app, deps);
  getCode(app, deps);
}

function getSearch(app: App, { records }: Pick<AppDeps, 'records'>): void {
  app.get(
    '/v1/search/iscc',
    {
      schema: {
        operationId: 'searchIscc',
        tags: ['search'],
        summary: 'Find recorded content with the same or a near ISCC (ISO 24138)',
        querystring: z.strictObject({
          code: z
            .string()
            .min(1)
            .max(MAX_CODE_LENGTH)
            .meta({ description: 'An ISCC-CODE, a Content-Code or an Instance-Code, of at least 64 bits' }),
          limit: wholeNumberQuery(1, MAX_MATCHES)
            .default(10)
            .meta({ description: 'Maximum number of matches in the response' }),
        }),
        response: { 200: isccSearchResultSchema, ...errorsOf('InvalidField') },
      },
    },
    async (request, reply) => {
      const { code, limit } = request.query;
      const search = { query: parseIscc(code), limit, signal: signalOfCaller(reply) };
      return searchIscc(records, projectOf(request), search);
    },
  );
}

function getCode(app: App, { records }: Pick<AppDeps, 'records'>): void {
  app.get(
    '/v1/resource/:cid/iscc',
    {
      schema: {
        operationId: 'getIscc',
        tags: ['search'],
        summary: 'Read the ISCC (ISO 24138) of a content; null until the service has computed it',
        params: z.object({ cid: contentIdSchema }),
        response: { 200: contentIsccSchema, ...errorsOf('InvalidField', 'NotFound') },
      },
    },
    async (request) => getContentIscc(records, projectOf(request), request.params.cid),
  );
}
