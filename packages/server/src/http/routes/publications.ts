import {
  contentIdSchema,
  publicationIdSchema,
  publicationInputSchema,
  publicationSchema,
} from '@colophon/model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ChangeOptions } from '../../management/change.js';
import {
  listPublications,
  publishContent,
  restorePublication,
  revokePublication,
} from '../../management/publish-content.js';
import { requirePublishable } from '../../records/publishing/require-publishable.js';
import type { App, AppDeps, ControlRouteDeps } from '../app.js';
import { withIdempotencyKey } from '../handlers/idempotency.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { errorsOf, JSON_WRITE_ERRORS } from '../wire/error-schemas.js';
import { listAnswer, pageQuery } from '../wire/list-query.js';
import { principalOf, projectOf } from '../wire/principal-of.js';

const params = z.object({ id: publicationIdSchema });
const config = { permission: 'write', forProject: true } as const;
const tags = ['publications'];

export function publicationRoutes(
  app: App,
  deps: ControlRouteDeps & Pick<AppDeps, 'records' | 'views'>,
): void {
  create(app, deps);
  list(app, deps);
  revoke(app, deps);
  restore(app, deps);
}

function create(app: App, deps: ControlRouteDeps & Pick<AppDeps, 'records'>): void {
  app.post(
    '/v1/publications',
    {
      config,
      schema: {
        operationId: 'publish',
        tags,
        summary: 'Publish the history of a content, without withheld fields, to everybody who has the link',
        body: publicationInputSchema,
        response: { 201: publicationSchema, ...JSON_WRITE_ERRORS },
      },
    },
    (request, reply) =>
      withIdempotencyKey({ deps, request, asked: request.body }, async (keyed) => {
        const projectId = projectOf(request);
        const cid = await requirePublishable(deps.records.provenance, projectId, request.body);
        const options = { ...changeOptions(deps, { request, reply }), keyed };
        return reply.code(201).send(await publishContent(options, projectId, { ...request.body, cid }));
      }),
  );
}

function list(app: App, { management, views }: Pick<AppDeps, 'management' | 'views'>): void {
  app.get(
    '/v1/publications',
    {
      config,
      schema: {
        operationId: 'listPublications',
        tags,
        summary: 'List all publications, also revoked and expired ones, newest first',
        querystring: pageQuery(publicationIdSchema).extend({ cid: contentIdSchema.optional() }),
        response: { 200: listAnswer('publications', publicationSchema), ...errorsOf('InvalidField') },
      },
    },
    async (request, reply) => {
      await views.flush();
      const query = { ...request.query, signal: signalOfCaller(reply) };
      return listPublications(management.deps, projectOf(request), query);
    },
  );
}

function revoke(app: App, deps: ControlRouteDeps & Pick<AppDeps, 'records'>): void {
  app.delete(
    '/v1/publications/:id',
    {
      config,
      schema: {
        operationId: 'revokePublication',
        tags,
        summary:
          'End a publication. Its page disappears at once, and cached copies of its data disappear within a minute. For one minute, the publication can be restored',
        params,
        response: { 200: publicationSchema, ...errorsOf('InvalidField', 'NotFound') },
      },
    },
    (request, reply) => {
      const options = changeOptions(deps, { request, reply });
      return revokePublication(options, projectOf(request), request.params.id);
    },
  );
}

function restore(app: App, deps: ControlRouteDeps & Pick<AppDeps, 'records'>): void {
  app.post(
    '/v1/publications/:id/restore',
    {
      config,
      schema: {
        operationId: 'restorePublication',
        tags,
        summary:
          'Make a publication public again, at most a minute after it was revoked; its link is the same',
        params,
        response: { 200: publicationSchema, ...errorsOf('InvalidField', 'NotFound', 'Conflict') },
      },
    },
    (request, reply) => {
      const options = changeOptions(deps, { request, reply });
      return restorePublication(options, projectOf(request), request.params.id);
    },
  );
}

/** The change is by an API key, or by a user of the page. */
function changeOptions(
  { management }: Pick<AppDeps, 'management'>,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): ChangeOptions {
  const principal = principalOf(request);
  const userId = 'keyId' in principal ? `key:${principal.keyId}` : principal.userId;
  const { ip: address, id: requestId } = request;
  const actor = { userId, address, requestId, isNew: false, signal: signalOfCaller(reply) };
  return { deps: management.deps, actor };
}
