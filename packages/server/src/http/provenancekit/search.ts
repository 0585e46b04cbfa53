import { contentIdSchema, type Match } from '@colophon/model';
import { z } from 'zod';
import { listSimilar, searchFile } from '../../records/matching/search-file.js';
import { embedQuery, searchText } from '../../records/matching/search-text.js';
import type { App, AppDeps } from '../app.js';
import { withSearchFile } from '../handlers/read-media.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { errorsOf } from '../wire/error-schemas.js';
import { wholeNumberQuery } from '../wire/list-query.js';
import { projectOf } from '../wire/principal-of.js';

const MAX_MATCHES = 50;
const MAX_TEXT_LENGTH = 8_000;

const matchSchema = z.looseObject({ cid: z.string(), score: z.number(), type: z.string() });
const resultSchema = z
  .object({ verdict: z.enum(['auto', 'review', 'no-match']), matches: z.array(matchSchema) })
  .meta({ id: 'PublishedMatches' });

const searchForm = z
  .object({ file: z.string().meta({ contentMediaType: 'application/octet-stream' }) })
  .meta({ id: 'PublishedSearchForm' });

const topK = wholeNumberQuery(1, MAX_MATCHES).default(5);
const type = z.string().max(64).optional();
const score = z
  .string()
  .regex(/^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/, 'must lie between 0 and 1')
  .transform(Number);

export function searchRoutes(app: App, deps: Pick<AppDeps, 'records' | 'maxUploadBytes'>): void {
  postFile(app, deps);
  postText(app, deps);
  getSimilar(app, deps);
  encryptedSearch(app, deps);
}

function postFile(app: App, deps: Pick<AppDeps, 'records' | 'maxUploadBytes'>): void {
  const { records } = deps;
  app.post(
    '/search/file',
    {
      config: { multipartBody: searchForm },
      schema: {
        operationId: 'compatSearchFile',
        summary:
          'Find recorded content with the same bytes as a file, or else similar content; nothing is stored',
        querystring: z.object({ topK, min: score.default(0), type }),
        response: {
          200: resultSchema,
          ...errorsOf('InvalidField', 'MissingField', 'ValidationError', 'PayloadTooLarge', 'Unsupported'),
        },
      },
    },
    async (request, reply) => {
      const { topK, min, type } = request.query;
      const signal = signalOfCaller(reply);
      const found = await withSearchFile(deps, request, (file) =>
        searchFile(records, projectOf(request), { file, limit: topK, signal }),
      );
      const matches = found.matches.filter((match) => match.score >= min && isOfType(match, type));
      return { verdict: verdictOf(found.verdict, matches), matches };
    },
  );
}

const textSchema = z
  .object({
    text: z.string().max(MAX_TEXT_LENGTH).optional(),
    query: z.string().max(MAX_TEXT_LENGTH).optional(),
    topK: z.int().min(1).max(MAX_MATCHES).default(5),
    minScore: z.number().min(0).max(1).default(0),
    type,
  })
  .refine(({ text, query }) => /\S/.test(text ?? query ?? ''), {
    path: ['text'],
    message: 'must not be blank',
  })
  .meta({ id: 'PublishedTextSearch' });

const TEXT_ERRORS = [
  'InvalidField',
  'ValidationError',
  'PayloadTooLarge',
  'Unsupported',
  'EmbeddingFailed',
] as const;

function postText(app: App, { records }: Pick<AppDeps, 'records'>): void {
  app.post(
    '/search/text',
    {
      schema: {
        operationId: 'compatSearchText',
        summary:
          'Find recorded texts with the meaning of `text` or `query`; without an embedding provider, texts with the same words',
        body: textSchema,
        response: { 200: resultSchema, ...errorsOf(...TEXT_ERRORS) },
      },
    },
    async (request, reply) => {
      const { text, query, topK, minScore, type } = request.body;
      const limit = type === undefined ? topK : MAX_MATCHES;
      const asked = { text: text ?? query ?? '', limit, minScore, signal: signalOfCaller(reply) };
      const found = await searchText(records, projectOf(request), asked);
      const matches = found.matches.filter((match) => isOfType(match, type)).slice(0, topK);
      return { verdict: verdictOf(found.verdict, matches), matches };
    },
  );
}

function getSimilar(app: App, { records }: Pick<AppDeps, 'records'>): void {
  app.get(
    '/similar/:cid',
    {
      schema: {
        operationId: 'compatListSimilar',
        summary: 'Find other recorded content that is similar to a content',
        params: z.object({ cid: contentIdSchema }),
        querystring: z.object({ topK }),
        response: { 200: z.array(matchSchema), ...errorsOf('InvalidField', 'NotFound') },
      },
    },
    async (request, reply) => {
      const { params, query } = request;
      const asked = { cid: params.cid, limit: query.topK, signal: signalOfCaller(reply) };
      return (await listSimilar(records, projectOf(request), asked)).matches;
    },
  );
}

const embedRequestSchema = z
  .object({ text: z.string().trim().min(1).max(MAX_TEXT_LENGTH) })
  .meta({ id: 'PublishedEmbedRequest' });

/** The list is always empty, because this service stores no encrypted vectors. */
function encryptedSearch(app: App, { records }: Pick<AppDeps, 'records'>): void {
  app.get(
    '/embeddings/encrypted',
    {
      schema: {
        operationId: 'compatListEncryptedEmbeddings',
        summary: 'Always empty: the service stores no encrypted vectors',
        response: { 200: z.object({ embeddings: z.array(z.never()) }), ...errorsOf() },
      },
    },
    async () => ({ embeddings: [] }),
  );
  app.post(
    '/search/text/vector',
    {
      schema: {
        operationId: 'compatEmbedText',
        summary: 'Compute the vector of a text with the configured embedding provider',
        body: embedRequestSchema,
        response: { 200: z.object({ vector: z.array(z.number()) }), ...errorsOf(...TEXT_ERRORS) },
      },
    },
    async (request, reply) => {
      const asked = { text: request.body.text, signal: signalOfCaller(reply) };
      return { vector: [...(await embedQuery(records, projectOf(request), asked))] };
    },
  );
}

function isOfType(match: Match, type: string | undefined): boolean {
  return type === undefined || match.type === type;
}

/** The ProvenanceKit SDK does not support `exact`. Filters can remove all matches. */
function verdictOf(verdict: 'exact' | 'auto' | 'review' | 'no-match', matches: readonly Match[]) {
  if (matches.length === 0) return 'no-match' as const;
  return verdict === 'exact' ? ('auto' as const) : verdict;
}
