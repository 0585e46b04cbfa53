import { auditEntrySchema, orgInputSchema, orgPatchSchema, orgSchema } from '@colophon/model';
import { z } from 'zod';
import { deleteOrg, updateOrg } from '../../../management/change-org.js';
import { createOrg } from '../../../management/create-org.js';
import { listAuditLog } from '../../../management/list-audit-log.js';
import { listOrgs, requireOrg } from '../../../management/read-org.js';
import type { App, AppDeps, ControlRouteDeps } from '../../app.js';
import { errorsOf, readyMade } from '../../wire/error-schemas.js';
import { listAnswer, pageQuery } from '../../wire/list-query.js';
import { orgParams } from './params.js';
import { actorOf, changeOptions, keyedChange, PATH_ERRORS } from './terms.js';

export function orgRoutes(app: App, deps: ControlRouteDeps): void {
  list(app, deps);
  createOne(app, deps);
  getOne(app, deps);
  updateOne(app, deps);
  deleteOne(app, deps);
  audit(app, deps);
}

function list(app: App, { management }: Pick<AppDeps, 'management'>): void {
  app.get(
    '/management/orgs',
    {
      schema: {
        operationId: 'listOrgs',
        summary: 'List the organisations of the user, oldest first',
        response: { 200: z.array(orgSchema), ...errorsOf('MissingField') },
      },
    },
    (request) => listOrgs(management.deps, actorOf(request)),
  );
}

function createOne(app: App, deps: ControlRouteDeps): void {
  app.post(
    '/management/orgs',
    {
      schema: {
        operationId: 'createOrg',
        summary: 'Create an organisation, with the user as its owner',
        body: orgInputSchema,
        response: {
          201: orgSchema,
          ...errorsOf('MissingField', 'ValidationError', 'Conflict', 'Unsupported', 'PayloadTooLarge'),
        },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await keyedChange(deps, request, (options) => createOrg(options, request.body))),
  );
}

function getOne(app: App, { management }: Pick<AppDeps, 'management'>): void {
  app.get(
    '/management/orgs/:slug',
    {
      schema: {
        operationId: 'getOrg',
        summary: 'Get an organisation',
        params: orgParams,
        response: { 200: orgSchema, ...PATH_ERRORS },
      },
    },
    (request) => requireOrg(management.deps, actorOf(request), request.params.slug),
  );
}

function updateOne(app: App, deps: ControlRouteDeps): void {
  app.put(
    '/management/orgs/:slug',
    {
      schema: {
        operationId: 'updateOrg',
        summary: 'Rename an organisation; requires the role admin',
        params: orgParams,
        body: orgPatchSchema,
        response: {
          200: orgSchema,
          ...errorsOf('MissingField', 'NotFound', 'ValidationError', 'Unsupported', 'PayloadTooLarge'),
        },
      },
    },
    (request) => updateOrg(changeOptions(deps, request), request.params.slug, request.body),
  );
}

function deleteOne(app: App, deps: ControlRouteDeps): void {
  app.delete(
    '/management/orgs/:slug',
    {
      schema: {
        operationId: 'deleteOrg',
        summary:
          'Delete an organisation and its projects; requires the role owner. Records stay, keys stop working. `local` cannot be deleted',
        params: orgParams,
        response: {
          200: z.object({ deleted: z.literal(true) }),
          ...errorsOf('MissingField', 'NotFound', 'Conflict'),
        },
      },
    },
    (request) => deleteOrg(changeOptions(deps, request), request.params.slug),
  );
}

function audit(app: App, { management }: Pick<AppDeps, 'management'>): void {
  app.get(
    '/management/orgs/:slug/audit',
    {
      schema: {
        operationId: 'listAuditEntries',
        summary: 'List the changes in an organisation, newest first; requires the role admin',
        params: orgParams,
        querystring: pageQuery(z.uuid()),
        response: readyMade({ 200: listAnswer('entries', auditEntrySchema), ...PATH_ERRORS }),
      },
    },
    (request) => {
      const { slug: orgSlug } = request.params;
      return listAuditLog(management.deps, actorOf(request), { orgSlug, ...request.query });
    },
  );
}
