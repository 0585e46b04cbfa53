import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { stageMedia } from '../../records/draft/stage-media.js';
import type { App, AppDeps } from '../app.js';
import {
  type Detector,
  examineFile,
  openDetection,
  requireDetector,
  runDetection,
  visitorOf,
} from '../handlers/detector.js';
import {
  findPublicManifestsOfBinding,
  findPublicManifestsOfFile,
  requirePublicManifest,
} from '../handlers/public-manifests.js';
import { countDetection } from '../middleware/limit-requests.js';
import { whenClosed } from '../wire/caller-signal.js';
import { enforceLength } from '../wire/enforce-length.js';
import { publicErrorsOf, readyMade } from '../wire/error-schemas.js';
import { passRawBodies } from '../wire/raw-body.js';
import { readLength } from '../wire/read-upload.js';
import {
  ASSET_TYPES,
  algorithmsSchema,
  assetSchema,
  bindingQuerySchema,
  bindingSchema,
  boundedAsset,
  contentQuerySchema,
  listAlgorithms,
  manifestParams,
  manifestQuerySchema,
  resultQuerySchema,
  resultSchema,
} from './soft-bindings.js';

const PREFIX = '/public/c2pa';
const OPEN = { tags: ['public'], security: [] as [] };
/** Cache time of a manifest store, which must disappear from all caches within a minute after a publication ends. */
const MAX_AGE_S = 30;

type PublicRouteDeps = Pick<AppDeps, 'records' | 'management' | 'detector' | 'credentials'>;
interface Visit {
  request: FastifyRequest;
  reply: FastifyReply;
}

/**
 * The C2PA Soft Binding Resolution API 1.0 for everybody, with the limits of the detector. It finds only content with a
 * live publication that shows titles and withholds nothing, in projects that permit the detector.
 */
export function publicSoftBindingRoutes(app: App, deps: PublicRouteDeps): void {
  passRawBodies(app);
  const count = async (request: FastifyRequest, reply: FastifyReply) =>
    countDetection(requireDetector(deps), request, reply);
  byBinding(app, deps, count);
  byLargeBinding(app, deps, count);
  byContent(app, deps, count);
  getManifest(app, deps, count);
  getAlgorithms(app, deps);
}

type CountVisit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

function byBinding(app: App, deps: PublicRouteDeps, onRequest: CountVisit): void {
  app.get(
    `${PREFIX}/matches/byBinding`,
    {
      onRequest,
      schema: {
        ...OPEN,
        operationId: 'queryPubliclyByBinding',
        summary: 'Find the public manifests of a soft binding',
        querystring: bindingQuerySchema,
        response: readyMade({
          200: resultSchema,
          304: z.null(),
          ...publicErrorsOf('InvalidField', 'NotFound'),
        }),
      },
    },
    async (request, reply) => {
      const { maxResults, ...binding } = request.query;
      return visit(deps, { request, reply }, (signal) =>
        findPublicManifestsOfBinding(deps, { binding, maxResults, signal }),
      );
    },
  );
}

function byLargeBinding(app: App, deps: PublicRouteDeps, onRequest: CountVisit): void {
  app.post(
    `${PREFIX}/matches/byBinding`,
    {
      onRequest,
      schema: {
        ...OPEN,
        operationId: 'queryPubliclyByLargeBinding',
        summary: 'Find the public manifests of a soft binding that is too long for a URL',
        querystring: resultQuerySchema,
        body: bindingSchema,
        response: { 200: resultSchema, ...bodyErrors() },
      },
    },
    async (request, reply) => {
      const { body: binding, query } = request;
      return visit(deps, { request, reply }, (signal) =>
        findPublicManifestsOfBinding(deps, { binding, ...query, signal }),
      );
    },
  );
}

function byContent(app: App, deps: PublicRouteDeps, onRequest: CountVisit): void {
  app.post(
    `${PREFIX}/matches/byContent`,
    {
      config: { rawBody: { mediaTypes: ASSET_TYPES, schema: assetSchema } },
      onRequest,
      schema: {
        ...OPEN,
        operationId: 'queryPubliclyByContent',
        summary:
          'Find the public manifests of content that is identical or similar to an asset of at most PUBLIC_DETECTOR_BYTES (20 MiB); nothing is stored',
        querystring: contentQuerySchema,
        response: { 200: resultSchema, ...bodyErrors() },
      },
    },
    (request, reply) => {
      const detector = requireDetector(deps);
      const { createHasher } = deps.records;
      const { maxResults } = request.query;
      const visitor = visitorOf({ request, reply });
      return examineFile(
        detector,
        { request, reply },
        {
          receive() {
            const staging = { createHasher, projectId: undefined, expectedBytes: readLength(request) };
            const limit = { maxBytes: detector.maxBytes, limitName: 'PUBLIC_DETECTOR_BYTES' };
            return stageMedia(staging, boundedAsset(request, limit));
          },
          async examine(file) {
            const matches = await runDetection(detector, visitor, (signal) =>
              findPublicManifestsOfFile(deps, { file, maxResults, signal }),
            );
            return { matches };
          },
        },
      );
    },
  );
}

/** Counts as one of the concurrent detections of the address. */
async function visit<Found>(
  deps: PublicRouteDeps,
  { request, reply }: Visit,
  find: (signal: AbortSignal) => Promise<Found>,
): Promise<{ matches: Found }> {
  const detector = requireDetector(deps);
  const { end } = openDetection(detector, request);
  try {
    return { matches: await runDetection(detector, visitorOf({ request, reply }), find) };
  } finally {
    end();
  }
}

function bodyErrors() {
  return publicErrorsOf(
    'InvalidField',
    'ValidationError',
    'NotFound',
    'Timeout',
    'PayloadTooLarge',
    'Unsupported',
  );
}

function getManifest(app: App, deps: PublicRouteDeps, onRequest: CountVisit): void {
  app.get(
    `${PREFIX}/manifests/:manifestId`,
    {
      config: { sendsBytes: true },
      onRequest,
      schema: {
        ...OPEN,
        operationId: 'getPublicManifestById',
        summary:
          'Read the manifest store of a published file of at most PUBLIC_DETECTOR_BYTES, or only its active manifest (JUMBF)',
        params: manifestParams,
        querystring: manifestQuerySchema,
        response: readyMade({
          200: assetSchema.describe('The manifest store'),
          304: z.null(),
          ...publicErrorsOf('InvalidField', 'NotFound'),
        }),
      },
    },
    async (request, reply) => {
      const detector = requireDetector(deps);
      const manifest = await openManifest(deps, detector, {
        request,
        reply,
        label: request.params.manifestId,
        activeOnly: request.query.returnActiveManifest === 'true',
      });
      reply.headers({
        ...{ etag: `"sha256:${manifest.sha256}"`, 'cache-control': `public, max-age=${MAX_AGE_S}` },
        ...{ 'content-type': 'application/c2pa', 'content-length': manifest.sizeBytes },
      });
      const bytes = manifest.open();
      return reply.send(Buffer.isBuffer(bytes) ? bytes : enforceLength(bytes, manifest.sizeBytes));
    },
  );
}

/** Counts as a detection until the caller has read the response, because the response can be a stream. */
function openManifest(
  deps: PublicRouteDeps,
  detector: Detector,
  { request, reply, ...query }: Visit & { label: string; activeOnly: boolean },
) {
  whenClosed(reply, openDetection(detector, request).end);
  return runDetection(detector, visitorOf({ request, reply }), (signal) =>
    requirePublicManifest(deps, { ...query, maxBytes: detector.maxBytes, signal }),
  );
}

function getAlgorithms(app: App, deps: PublicRouteDeps): void {
  app.get(
    `${PREFIX}/services/supportedAlgorithms`,
    {
      onRequest: async () => void requireDetector(deps),
      schema: {
        ...OPEN,
        operationId: 'getPublicSupportedBindings',
        summary: 'List the soft binding algorithms of the public resolution API',
        response: readyMade({ 200: algorithmsSchema, 304: z.null(), ...publicErrorsOf('NotFound') }),
      },
    },
    async () => listAlgorithms(deps.records),
  );
}
