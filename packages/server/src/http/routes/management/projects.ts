import {
  projectDetailsSchema,
  projectInputSchema,
  projectItemSchema,
  projectPatchSchema,
  projectSchema,
} from '@colophon/model';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ServiceError } from '../../../errors.js';
import { deleteProject, updateProject } from '../../../management/change-project.js';
import { createProject } from '../../../management/create-project.js';
import { listProjects } from '../../../management/read-org.js';
import { requireProject } from '../../../management/read-project.js';
import type { App, AppDeps, ControlRouteDeps } from '../../app.js';
import { errorsOf } from '../../wire/error-schemas.js';
import { idParams, orgParams, projectOrOrgParams } from './params.js';
import { actorOf, CHANGE_ERRORS, changeOptions, keyedChange, PATH_ERRORS } from './terms.js';

export function projectRoutes(app: App, deps: ControlRouteDeps): void {
  getOneOrList(app, deps);
  listOfOrg(app, deps);
  createOne(app, deps);
  createInOrg(app, deps);
  updateOne(app, deps);
  deleteOne(app, deps);
}

const isId = (text: string) => z.uuid().safeParse(text).success;

function getOneOrList(app: App, { management }: Pick<AppDeps, 'management'>): void {
  app.get(
    '/management/projects/:id',
    {
      schema: {
        operationId: 'getProjectOrListProjects',
        summary:
          'Get a project by its id, or list the projects of an organisation by its slug, without their certificates',
        params: projectOrOrgParams,
        response: { 200: z.union([projectSchema, z.array(projectItemSchema)]), ...PATH_ERRORS },
      },
    },
    async (request) => {
      const { id } = request.params;
      const actor = actorOf(request);
      return isId(id) ? requireProject(management.deps, actor, id) : listProjects(management.deps, actor, id);
    },
  );
}

function listOfOrg(app: App, { management }: Pick<AppDeps, 'management'>): void {
  app.get(
    '/management/orgs/:slug/projects',
    {
      schema: {
        operationId: 'listProjects',
        summary: 'List the projects of an organisation without their certificates, oldest first',
        params: orgParams,
        response: { 200: z.array(projectItemSchema), ...PATH_ERRORS },
      },
    },
    (request) => listProjects(management.deps, actorOf(request), request.params.slug),
  );
}

function createOne(app: App, deps: ControlRouteDeps): void {
  app.post(
    '/management/projects',
    {
      schema: {
        operationId: 'createProject',
        summary: 'Create a project in an organisation other than `local`; requires the role developer',
        body: projectInputSchema,
        response: { 201: projectSchema, ...CHANGE_ERRORS },
      },
    },
    async (request, reply) => {
      const { orgSlug, ...details } = request.body;
      assertMayLimit(request);
      const made = await keyedChange(deps, request, (options) => createProject(options, orgSlug, details));
      return reply.code(201).send(made);
    },
  );
}

function createInOrg(app: App, deps: ControlRouteDeps): void {
  app.post(
    '/management/orgs/:slug/projects',
    {
      schema: {
        operationId: 'createProjectInOrg',
        summary:
          'Create a project in this organisation, which cannot be `local`; requires the role developer',
        params: orgParams,
        body: projectDetailsSchema,
        response: { 201: projectSchema, ...CHANGE_ERRORS },
      },
    },
    async (request, reply) => {
      const { slug } = request.params;
      assertMayLimit(request);
      const made = await keyedChange(deps, request, (options) => createProject(options, slug, request.body));
      return reply.code(201).send(made);
    },
  );
}

function updateOne(app: App, deps: ControlRouteDeps): void {
  app.put(
    '/management/projects/:id',
    {
      // The certificates, their key and the trust anchors can have 64 KiB each.
      bodyLimit: 2 ** 18,
      schema: {
        operationId: 'updateProject',
        summary: 'Change the settings in the body; null removes a setting; requires the role developer',
        params: idParams,
        body: projectPatchSchema,
        response: { 200: projectSchema, ...CHANGE_ERRORS },
      },
    },
    (request) => {
      assertMayLimit(request);
      return updateProject(changeOptions(deps, request), request.params.id, request.body);
    },
  );
}

/** Throws `Forbidden` if a user of the page sets limits. Otherwise every tenant could raise its own limits. */
function assertMayLimit({
  body,
  session,
}: Pick<FastifyRequest, 'session'> & { body: { limits?: object | undefined } }): void {
  if (session === undefined || body.limits === undefined) return;
  throw new ServiceError('Forbidden', 'Only the operator of this service can set limits.', {
    recovery: 'Ask the operator, who sets them with PUT /management/projects/:id.',
  });
}

function deleteOne(app: App, deps: ControlRouteDeps): void {
  app.delete(
    '/management/projects/:id',
    {
      schema: {
        operationId: 'deleteProject',
        summary:
          'Delete a project; requires the role admin. Its records stay, its keys stop working. A project of `local` cannot be deleted',
        params: idParams,
        response: {
          200: z.object({ deleted: z.literal(true) }),
          ...errorsOf('MissingField', 'NotFound', 'Conflict'),
        },
      },
    },
    (request) => deleteProject(changeOptions(deps, request), request.params.id),
  );
}
