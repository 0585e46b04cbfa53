import { memberInputSchema, memberPatchSchema, memberSchema } from '@colophon/model';
import { z } from 'zod';
import {
  addMember,
  changeMemberRole,
  type MemberRef,
  removeMember,
} from '../../../management/change-members.js';
import { listMembers } from '../../../management/read-org.js';
import type { App, AppDeps, ControlRouteDeps } from '../../app.js';
import { errorsOf } from '../../wire/error-schemas.js';
import { memberParams, orgParams } from './params.js';
import { actorOf, CHANGE_ERRORS, changeOptions, keyedChange, PATH_ERRORS } from './terms.js';

export function memberRoutes(app: App, deps: ControlRouteDeps): void {
  list(app, deps);
  add(app, deps);
  changeOne(app, deps);
  removeOne(app, deps);
}

function list(app: App, { management }: Pick<AppDeps, 'management'>): void {
  app.get(
    '/management/orgs/:slug/members',
    {
      schema: {
        operationId: 'listMembers',
        summary: 'List the members of an organisation, longest membership first',
        params: orgParams,
        response: { 200: z.array(memberSchema), ...PATH_ERRORS },
      },
    },
    (request) => listMembers(management.deps, actorOf(request), request.params.slug),
  );
}

function add(app: App, deps: ControlRouteDeps): void {
  app.post(
    '/management/orgs/:slug/members',
    {
      config: { vouched: true },
      schema: {
        operationId: 'addMember',
        summary: 'Add a member, with a role up to the caller’s own; requires the role admin',
        params: orgParams,
        body: memberInputSchema,
        response: { 201: memberSchema, ...CHANGE_ERRORS },
      },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send(
          await keyedChange(deps, request, (options) =>
            addMember(options, request.params.slug, request.body),
          ),
        ),
  );
}

function changeOne(app: App, deps: ControlRouteDeps): void {
  app.put(
    '/management/orgs/:slug/members/:userId',
    {
      schema: {
        operationId: 'changeMember',
        summary: 'Change a member’s role, up to the caller’s own; requires the role admin',
        params: memberParams,
        body: memberPatchSchema,
        response: { 200: memberSchema, ...CHANGE_ERRORS },
      },
    },
    (request) => changeMemberRole(changeOptions(deps, request), placeOf(request.params), request.body.role),
  );
}

function removeOne(app: App, deps: ControlRouteDeps): void {
  app.delete(
    '/management/orgs/:slug/members/:userId',
    {
      schema: {
        operationId: 'removeMember',
        summary:
          'Remove a member; requires the role admin, except to remove oneself. The last owner cannot be removed',
        params: memberParams,
        response: {
          200: z.object({ removed: z.literal(true) }),
          ...errorsOf('MissingField', 'NotFound', 'Conflict'),
        },
      },
    },
    (request) => removeMember(changeOptions(deps, request), placeOf(request.params)),
  );
}

function placeOf({ slug, userId }: { slug: string; userId: string }): MemberRef {
  return { orgSlug: slug, userId };
}
