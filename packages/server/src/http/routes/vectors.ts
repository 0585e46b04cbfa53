import { contentIdSchema, givenVectorSchema, searchResultSchema } from '@colophon/model';
import { z } from 'zod';
import { giveVector, searchVector } from '../../records/matching/given-vectors.js';
import type { App, AppDeps } from '../app.js';
import { recordDepsFor } from '../handlers/record-deps-for.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { errorsOf } from '../wire/error-schemas.js';
import { projectOf } from '../wire/principal-of.js';

const MAX_DIMENSIONS = 4096;
const MAX_MATCHES = 50;

const modelVector = {
  model: z
    .string()
    .regex(/^[\w.:/-]{1,100}$/, 'must be a model name, such as clip-vit-b32')
    .meta({ description: 'Model that computed the vector; vectors of different models are not comparable' }),
  vector: z
    .array(z.number())
    .min(1)
    .max(MAX_DIMENSIONS)
    .meta({ description: 'The magnitude of the vector is ignored' }),
};

// `v1Table` runs twice, but the API document needs one schema for each id. So the module creates each schema once.
const modelVectorSchema = z.strictObject(modelVector).meta({ id: 'ModelVector' });
const vectorSearchSchema = z
  .strictObject({
    ...modelVector,
    limit: z.int().min(1).max(MAX_MATCHES).default(10),
    minScore: z.number().min(0).max(1).default(0),
  })
  .meta({ id: 'VectorSearch' });

export function vectorRoutes(app: App, deps: Pick<AppDeps, 'records'>): void {
  postVector(app, deps);
  postSearch(app, deps);
}

function postVector(app: App, deps: Pick<AppDeps, 'records'>): void {
  app.post(
    '/v1/resource/:cid/vector',
    {
      config: { permission: 'write' },
      schema: {
        operationId: 'giveVector',
        tags: ['search'],
        summary:
          'Store a vector of recorded content from a model that the caller runs; replaces the stored one',
        params: z.object({ cid: contentIdSchema }),
        body: modelVectorSchema,
        response: {
          201: givenVectorSchema,
          ...errorsOf('InvalidField', 'NotFound', 'ValidationError', 'PayloadTooLarge', 'Unsupported'),
        },
      },
    },
    async (request, reply) => {
      const { cid } = request.params;
      const given = { cid, ...request.body };
      return reply.code(201).send(await giveVector(recordDepsFor(deps, request), projectOf(request), given));
    },
  );
}

function postSearch(app: App, { records }: Pick<AppDeps, 'records'>): void {
  app.post(
    '/v1/search/vector',
    {
      schema: {
        operationId: 'searchVector',
        tags: ['search'],
        summary: 'Find recorded content by its nearest vectors of the same model',
        body: vectorSearchSchema,
        response: {
          200: searchResultSchema,
          ...errorsOf('InvalidField', 'ValidationError', 'PayloadTooLarge', 'Unsupported'),
        },
      },
    },
    async (request, reply) =>
      searchVector(records, projectOf(request), { ...request.body, signal: signalOfCaller(reply) }),
  );
}
