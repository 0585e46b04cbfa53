import { Readable } from 'node:stream';
import { IMAGE_MARK_BINDING, ISCC_BINDING, SOUND_MARK_BINDING } from '@colophon/model';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { stageMedia } from '../../records/draft/stage-media.js';
import {
  findManifestsOfBinding,
  findManifestsOfFile,
  requireManifest,
} from '../../records/matching/find-manifests.js';
import { IMAGE_BINDING, SHA256_BINDING } from '../../records/matching/soft-binding.js';
import { MAX_DESCRIBED_BYTES } from '../../search/descriptor.js';
import type { App, AppDeps } from '../app.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { enforceLength } from '../wire/enforce-length.js';
import { errorsOf, readyMade } from '../wire/error-schemas.js';
import { matches } from '../wire/etag.js';
import { tooLarge } from '../wire/form-errors.js';
import { wholeNumberQuery } from '../wire/list-query.js';
import { projectOf } from '../wire/principal-of.js';
import { readLength } from '../wire/read-upload.js';

const TAGS = ['c2pa'];
const MAX_RESULTS = 100;
export const ASSET_TYPES = ['image/*', 'audio/*', 'video/*', 'application/*', 'text/*'];

const maxResults = wholeNumberQuery(1, MAX_RESULTS).default(10);
const bindingFields = {
  alg: z.string().min(1).max(200).meta({ description: 'The algorithm of the soft binding' }),
  value: z
    .string()
    .min(1)
    .max(65_536)
    .meta({ description: 'The soft binding in base64; for io.iscc.v0 also the text of an ISCC' }),
};
export const resultQuerySchema = z.strictObject({ maxResults });
export const bindingQuerySchema = z.strictObject({ ...bindingFields, maxResults });
export const bindingSchema = z.strictObject(bindingFields).meta({ id: 'SoftBindingQuery' });
export const contentQuerySchema = z.strictObject({
  maxResults,
  alg: bindingFields.alg.optional(),
  hintAlg: bindingFields.alg.optional(),
  hintValue: bindingFields.value.optional(),
});
export const manifestParams = z.object({ manifestId: z.string().min(1).max(500) });
export const manifestQuerySchema = z.strictObject({
  returnActiveManifest: z.enum(['true', 'false']).default('false'),
});
export const resultSchema = z
  .object({
    matches: z.array(z.object({ manifestId: z.string(), similarityScore: z.int().min(0).max(100) })),
  })
  .meta({ id: 'SoftBindingQueryResult' });
export const algorithmsSchema = z
  .object({
    watermarks: z.array(z.object({ alg: z.string() })),
    fingerprints: z.array(z.object({ alg: z.string() })),
  })
  .meta({ id: 'SoftBindingAlgorithms' });
export const assetSchema = z.string().meta({ contentMediaType: 'application/octet-stream' });

/** The C2PA Soft Binding Resolution API 1.0, within the key's project. */
export function softBindingRoutes(
  app: App,
  deps: Pick<AppDeps, 'records' | 'credentials' | 'maxUploadBytes'>,
): void {
  byBinding(app, deps);
  byLargeBinding(app, deps);
  byContent(app, deps);
  getManifest(app, deps);
  getAlgorithms(app, deps);
}

function byBinding(app: App, { records }: Pick<AppDeps, 'records'>): void {
  app.get(
    '/v1/c2pa/matches/byBinding',
    {
      schema: {
        operationId: 'queryByBinding',
        tags: TAGS,
        summary: 'Find the manifests of a soft binding',
        querystring: bindingQuerySchema,
        response: { 200: resultSchema, ...errorsOf('InvalidField') },
      },
    },
    async (request, reply) => {
      const { maxResults, ...binding } = request.query;
      const options = { binding, maxResults, signal: signalOfCaller(reply) };
      return { matches: await findManifestsOfBinding(records, projectOf(request), options) };
    },
  );
}

function byLargeBinding(app: App, { records }: Pick<AppDeps, 'records'>): void {
  app.post(
    '/v1/c2pa/matches/byBinding',
    {
      schema: {
        operationId: 'queryByLargeBinding',
        tags: TAGS,
        summary: 'Find the manifests of a soft binding that is too long for a URL',
        querystring: resultQuerySchema,
        body: bindingSchema,
        response: {
          200: resultSchema,
          ...errorsOf('InvalidField', 'ValidationError', 'PayloadTooLarge', 'Unsupported'),
        },
      },
    },
    async (request, reply) => {
      const { body: binding, query } = request;
      const options = { binding, maxResults: query.maxResults, signal: signalOfCaller(reply) };
      return { matches: await findManifestsOfBinding(records, projectOf(request), options) };
    },
  );
}

function byContent(app: App, { records, maxUploadBytes }: Pick<AppDeps, 'records' | 'maxUploadBytes'>): void {
  app.post(
    '/v1/c2pa/matches/byContent',
    {
      config: { rawBody: { mediaTypes: ASSET_TYPES, schema: assetSchema } },
      bodyLimit: maxUploadBytes,
      schema: {
        operationId: 'queryByContent',
        tags: TAGS,
        summary:
          'Find the manifests of recorded content that is identical or similar to an asset; nothing is stored',
        querystring: contentQuerySchema,
        response: {
          200: resultSchema,
          ...errorsOf('InvalidField', 'ValidationError', 'PayloadTooLarge', 'Unsupported'),
        },
      },
    },
    async (request, reply) => {
      const { createHasher } = records;
      const projectId = projectOf(request);
      const expectedBytes = readLength(request);
      const staging = { createHasher, projectId, expectedBytes, maxKeptBytes: MAX_DESCRIBED_BYTES };
      const limit = { maxBytes: maxUploadBytes, limitName: 'MAX_UPLOAD_BYTES' };
      const file = await stageMedia(staging, boundedAsset(request, limit));
      const options = { file, maxResults: request.query.maxResults, signal: signalOfCaller(reply) };
      try {
        return { matches: await findManifestsOfFile(records, projectId, options) };
      } finally {
        await file.discard();
      }
    },
  );
}

/** Throws when the body has too many bytes. */
export async function* boundedAsset(
  { body }: FastifyRequest,
  { maxBytes, limitName }: { maxBytes: number; limitName: string },
): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0;
  for await (const chunk of body instanceof Readable ? body : []) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) throw tooLarge(`The asset is larger than ${maxBytes} bytes.`, { limitName });
    yield chunk;
  }
}

function getManifest(app: App, { records, credentials }: Pick<AppDeps, 'records' | 'credentials'>): void {
  app.get(
    '/v1/c2pa/manifests/:manifestId',
    {
      config: { sendsBytes: true },
      schema: {
        operationId: 'getManifestById',
        tags: TAGS,
        summary: 'Read the manifest store of a stored file, or only its active manifest (JUMBF)',
        params: manifestParams,
        querystring: manifestQuerySchema,
        response: readyMade({
          200: assetSchema.describe('The manifest store'),
          ...errorsOf('InvalidField', 'NotFound'),
        }),
      },
    },
    async (request, reply) => {
      const deps = { ...records, engine: credentials.engine };
      const manifest = await requireManifest(deps, projectOf(request), {
        label: request.params.manifestId,
        activeOnly: request.query.returnActiveManifest === 'true',
        maxBytes: credentials.maxMediaBytes,
        signal: signalOfCaller(reply),
      });
      const etag = `"sha256:${manifest.sha256}"`;
      reply.headers({ etag, 'cache-control': 'private', vary: 'authorization' });
      if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send();
      reply.headers({ 'content-type': 'application/c2pa', 'content-length': manifest.sizeBytes });
      const bytes = manifest.open();
      return reply.send(Buffer.isBuffer(bytes) ? bytes : enforceLength(bytes, manifest.sizeBytes));
    },
  );
}

function getAlgorithms(app: App, { records }: Pick<AppDeps, 'records'>): void {
  app.get(
    '/v1/c2pa/services/supportedAlgorithms',
    {
      schema: {
        operationId: 'getSupportedBindings',
        tags: TAGS,
        summary: 'List the supported soft binding algorithms',
        response: { 200: algorithmsSchema, ...errorsOf() },
      },
    },
    async () => listAlgorithms(records),
  );
}

export function listAlgorithms({ matching }: Pick<AppDeps['records'], 'matching'>) {
  const watermarks = new Set([matching.pictureMark.alg, IMAGE_MARK_BINDING, SOUND_MARK_BINDING]);
  const fingerprints = [SHA256_BINDING, IMAGE_BINDING, ISCC_BINDING];
  return {
    watermarks: [...watermarks].map((alg) => ({ alg })),
    fingerprints: fingerprints.map((alg) => ({ alg })),
  };
}
