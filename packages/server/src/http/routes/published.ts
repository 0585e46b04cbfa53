import {
  contentIdSchema,
  detectorStateSchema,
  type PublicCheck,
  provenBundleSchema,
  publicationIdSchema,
  publicationPath,
  publicationSummarySchema,
  publicCheckSchema,
  publishedHistorySchema,
} from '@colophon/model';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { ServiceError } from '../../errors.js';
import { type ContentOfProject, listLivePublications } from '../../management/live-publications.sql.js';
import {
  listOpenProjects,
  type PublicationRow,
  readLivePublication,
} from '../../management/publications.sql.js';
import { noPublication, requirePublication } from '../../management/publish-content.js';
import { networkOf } from '../../platform/net/client-address.js';
import type { Answer } from '../../records/read/answer-cache.js';
import type { App, AppDeps } from '../app.js';
import { countVisitors } from '../middleware/count-visitors.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { publicErrorsOf, readyMade } from '../wire/error-schemas.js';
import { tagAnswers } from '../wire/etag.js';
import { proofVersionQuery } from '../wire/list-query.js';
import { negotiate } from '../wire/negotiate.js';
import { sendAnswer } from '../wire/send-answer.js';
import { detectRoutes } from './detect.js';
import { labelRoutes } from './labels.js';
import { publicSoftBindingRoutes } from './public-soft-bindings.js';

const params = z.object({ id: publicationIdSchema });
const tags = ['public'];
const security: [] = [];
const PATH_ERRORS = publicErrorsOf('InvalidField', 'NotFound');

/** Cache time of a response. With the caches of the service, a revoked publication disappears within a minute. */
const MAX_AGE_S = 30;

/** Routes without a key, for the page, the badge and everybody. */
export function publicRoutes(app: App, deps: AppDeps): void {
  countVisitors(app, deps);
  // The id of a publication gives access to it, so search engines must not list the responses.
  app.addHook('onRequest', async (_request, reply) => void reply.header('x-robots-tag', 'noindex'));
  negotiate(app);
  tagAnswers(app);
  check(app, deps);
  getDetector(app, deps);
  getHistory(app, deps);
  getSummary(app, deps);
  getProof(app, deps);
  getPicture(app, deps);
  labelRoutes(app);
  detectRoutes(app, deps);
  publicSoftBindingRoutes(app, deps);
}

type PublicCheckDeps = Pick<AppDeps, 'management' | 'publishing' | 'detector'>;

function check(app: App, deps: PublicCheckDeps): void {
  const { management, publishing } = deps;
  app.get(
    '/app/api/public/check',
    {
      schema: {
        operationId: 'checkPublicly',
        tags,
        security,
        summary: 'Search for a content in up to 1,000 projects that allow public checks; returns summaries',
        querystring: z.strictObject({ cid: contentIdSchema }),
        response: readyMade({ 200: publicCheckSchema, 304: z.null(), ...publicErrorsOf('InvalidField') }),
      },
    },
    async (request, reply) => {
      const projectIds = await listOpenProjects(management.deps.control);
      keepFor(reply, MAX_AGE_S);
      return sendAnswer(
        reply,
        await publishing.check(projectIds, {
          cid: request.query.cid,
          caller: networkOf(request.ip),
          listPublications: (knowing) => listPublications(deps, knowing),
          signal: signalOfCaller(reply),
        }),
      );
    },
  );
}

/** Omits the publications of projects that do not permit the detector: the detector shows no links to them either. */
async function listPublications(
  { management: { deps }, detector }: PublicCheckDeps,
  contents: readonly ContentOfProject[],
): Promise<NonNullable<PublicCheck['publications']>> {
  if (detector === undefined) return [];
  const shown = await listLivePublications(deps.control, contents);
  const publications: NonNullable<PublicCheck['publications']> = [];
  for (const { id } of shown) {
    // Reads complete rows only here, because the hidden entities of a row can have almost 1 MB.
    const row = await readLivePublication(deps.control, id);
    if (row !== undefined) publications.push({ path: publicationPath(id), title: row.title });
  }
  return publications;
}

function getDetector(app: App, { detector }: Pick<AppDeps, 'detector'>): void {
  app.get(
    '/app/api/public/detector',
    {
      schema: {
        operationId: 'getDetector',
        tags,
        security,
        summary: 'Whether the service has a public detector, and its limits',
        response: readyMade({ 200: detectorStateSchema, 304: z.null(), ...publicErrorsOf() }),
      },
    },
    async (_request, reply) => {
      keepFor(reply, MAX_AGE_S);
      const { maxBytes = null, perMinute = null } = detector ?? {};
      return { isAvailable: detector !== undefined, maxBytes, requestsPerMinute: perMinute };
    },
  );
}

function getHistory(app: App, deps: Pick<AppDeps, 'management' | 'publishing' | 'views'>): void {
  app.get(
    '/app/api/public/:id',
    {
      schema: {
        operationId: 'getPublishedHistory',
        tags,
        security,
        summary: 'A published history; 404 when it is absent, expired or revoked',
        params,
        response: readyMade({ 200: publishedHistorySchema, 304: z.null(), ...PATH_ERRORS }),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const read = async (publication: PublicationRow) => {
        const answer = await deps.publishing.readHistory(publication, signalOfCaller(reply));
        if (answer !== undefined) deps.views.count({ projectId: publication.projectId, id });
        return answer;
      };
      return sendPublished(deps, reply, { id, read });
    },
  );
}

function getSummary(app: App, deps: Pick<AppDeps, 'management' | 'publishing'>): void {
  app.get(
    '/app/api/public/:id/summary',
    {
      schema: {
        operationId: 'getPublicationSummary',
        tags,
        security,
        summary: 'The summary of a published history, for a badge',
        params,
        response: readyMade({ 200: publicationSummarySchema, 304: z.null(), ...PATH_ERRORS }),
      },
    },
    async (request, reply) =>
      sendPublished(deps, reply, {
        id: request.params.id,
        read: (publication) => deps.publishing.readSummary(publication, { signal: signalOfCaller(reply) }),
      }),
  );
}

interface PublicationRequest {
  id: string;
  read: (publication: PublicationRow) => Promise<Answer | undefined>;
}

async function sendPublished(
  { management }: Pick<AppDeps, 'management'>,
  reply: FastifyReply,
  { id, read }: PublicationRequest,
) {
  const publication = await requirePublication(management.deps, id);
  const answer = await read(publication);
  if (answer === undefined) throw noPublication(id);
  keepFor(reply, lifeOf(publication));
  return sendAnswer(reply, answer);
}

function getProof(app: App, { management, publishing }: Pick<AppDeps, 'management' | 'publishing'>): void {
  app.get(
    '/app/api/public/:id/proof',
    {
      schema: {
        operationId: 'getPublicationProof',
        tags,
        security,
        summary: 'The proof of a published history, as a bundle; 404 when the history is not provable',
        params,
        querystring: z.strictObject({ proofVersion: proofVersionQuery }),
        response: readyMade({
          200: provenBundleSchema,
          304: z.null(),
          ...publicErrorsOf('InvalidField', 'NotFound', 'Forbidden'),
        }),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const publication = await requirePublication(management.deps, id);
      const proven = await publishing.readProof(publication, {
        version: request.query.proofVersion,
        signal: signalOfCaller(reply),
      });
      if (proven === undefined)
        throw new ServiceError(
          'NotFound',
          'This history has no proof, because a proof would reveal withheld fields.',
        );
      keepFor(reply, lifeOf(publication));
      return sendAnswer(reply, proven);
    },
  );
}

function getPicture(app: App, { management, publishing }: Pick<AppDeps, 'management' | 'publishing'>): void {
  app.get(
    '/app/api/public/:id/picture',
    {
      config: { sendsBytes: true },
      schema: {
        operationId: 'getPublishedPicture',
        tags,
        security,
        summary:
          'A smaller copy of the published picture, as JPEG; 404 when the publication shows no picture',
        params,
        response: readyMade({
          200: z
            .string()
            .meta({ contentMediaType: 'application/octet-stream', description: 'The picture, image/jpeg' }),
          304: z.null(),
          ...PATH_ERRORS,
        }),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const publication = await requirePublication(management.deps, id);
      const picture = await publishing.readPicture(publication, signalOfCaller(reply));
      // Caches must revalidate the picture, so it disappears when the publication ends.
      reply.headers({
        'cache-control': 'public, no-cache',
        'content-security-policy': "sandbox; default-src 'none'",
      });
      return sendAnswer(reply, picture, noPicture, 'image/jpeg');
    },
  );
}

function noPicture(): ServiceError {
  return new ServiceError('NotFound', 'This publication shows no picture.', {
    recovery:
      'The publisher can choose a picture when publishing. The service must store the bytes of the picture.',
  });
}

/** Cache time in seconds, at most until the publication expires. */
function lifeOf({ expiresAt }: PublicationRow): number {
  const leftMs = expiresAt === null ? Number.POSITIVE_INFINITY : expiresAt.getTime() - Date.now();
  return Math.max(0, Math.min(MAX_AGE_S, Math.floor(leftMs / 1000)));
}

function keepFor(reply: FastifyReply, seconds: number): void {
  reply.header('cache-control', `public, max-age=${seconds}`);
}
