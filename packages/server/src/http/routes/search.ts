import { contentIdSchema, searchResultSchema } from '@colophon/model';
import { z } from 'zod';
import { join } from '../../platform/json-text.js';
import { listSimilar, searchFile } from '../../records/matching/search-file.js';
import { searchText } from '../../records/matching/search-text.js';
import { readAncestors } from '../../records/read/read-histories.js';
import type { App, AppDeps } from '../app.js';
import { withSearchFile } from '../handlers/read-media.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { errorsOf, readyMade } from '../wire/error-schemas.js';
import { wholeNumberQuery } from '../wire/list-query.js';
import { projectOf } from '../wire/principal-of.js';
import { sendPieces } from '../wire/send-answer.js';

const MAX_MATCHES = 50;
const MAX_TEXT_LENGTH = 8_000;

const searchForm = z
  .object({
    file: z
      .string()
      .meta({ contentMediaType: 'application/octet-stream', description: 'The content to look for' }),
  })
  .meta({ id: 'SearchForm' });
const querystring = z.strictObject({
  limit: wholeNumberQuery(1, MAX_MATCHES)
    .default(10)
    .meta({ description: 'Maximum number of matches in the response' }),
});

export function searchRoutes(app: App, deps: Pick<AppDeps, 'records' | 'maxUploadBytes'>): void {
  postFile(app, deps);
  postText(app, deps);
  getSimilar(app, deps);
}

function postFile(app: App, deps: Pick<AppDeps, 'records' | 'maxUploadBytes'>): void {
  const { records } = deps;
  app.post(
    '/v1/search/file',
    {
      config: { multipartBody: searchForm },
      schema: {
        operationId: 'searchFile',
        tags: ['search'],
        summary:
          'Find recorded content with the same bytes as a file, or else similar content; nothing is stored',
        querystring: querystring.extend({
          include: z.enum(['bundle']).optional().meta({ description: 'Add the history of the first match' }),
        }),
        response: readyMade({
          200: searchResultSchema,
          ...errorsOf('MissingField', 'ValidationError', 'PayloadTooLarge', 'Unsupported'),
        }),
      },
    },
    async (request, reply) => {
      const { limit, include } = request.query;
      const signal = signalOfCaller(reply);
      const result = await withSearchFile(deps, request, (file) =>
        searchFile(records, projectOf(request), { file, limit, signal }),
      );
      const [best] = result.matches;
      if (include === undefined || best === undefined) return result;
      const bundle = await readAncestors(records, projectOf(request), { cid: best.cid, signal });
      const start = `${JSON.stringify(result).slice(0, -1)},"bundle":`;
      return sendPieces(reply, join([start, ...(typeof bundle === 'string' ? [bundle] : bundle), '}']));
    },
  );
}

export const searchedText = z.string().trim().min(1).max(MAX_TEXT_LENGTH);

const textSchema = z
  .strictObject({
    text: searchedText,
    limit: z.int().min(1).max(MAX_MATCHES).default(10),
    minScore: z.number().min(0).max(1).default(0),
  })
  .meta({ id: 'TextSearch' });

function postText(app: App, { records }: Pick<AppDeps, 'records'>): void {
  app.post(
    '/v1/search/text',
    {
      schema: {
        operationId: 'searchText',
        tags: ['search'],
        summary:
          'Find recorded texts with the same meaning; without an embedding provider, texts with the same words',
        body: textSchema,
        response: {
          200: searchResultSchema,
          ...errorsOf('InvalidField', 'ValidationError', 'PayloadTooLarge', 'Unsupported', 'EmbeddingFailed'),
        },
      },
    },
    async (request, reply) =>
      searchText(records, projectOf(request), { ...request.body, signal: signalOfCaller(reply) }),
  );
}

function getSimilar(app: App, { records }: Pick<AppDeps, 'records'>): void {
  app.get(
    '/v1/similar/:cid',
    {
      schema: {
        operationId: 'listSimilar',
        tags: ['search'],
        summary: 'Find other recorded content that is similar to a content',
        params: z.object({ cid: contentIdSchema }),
        querystring,
        response: { 200: searchResultSchema, ...errorsOf('InvalidField', 'NotFound') },
      },
    },
    async (request, reply) => {
      const { cid } = request.params;
      const options = { cid, limit: request.query.limit, signal: signalOfCaller(reply) };
      return listSimilar(records, projectOf(request), options);
    },
  );
}
