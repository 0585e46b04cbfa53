import {
  invitationInputSchema,
  invitationSchema,
  memberInputSchema,
  memberPatchSchema,
  memberSchema,
} from '@colophon/model';
import { z } from 'zod';
import {
  addMember,
  changeMemberRole,
  type MemberPlace,
  removeMember,
} from '../../../management/change-members.js';
import { listMembers } from '../../../management/read-org.js';
import { inviteMember } from '../../../management/sessions/invite-member.js';
import type { App, AppNeeds } from '../../app.js';
import { refuseIdempotencyKey } from '../../idempotency.js';
import { errorsOf } from '../errors-of.js';
import { memberParams, orgParams } from './params.js';
import { actorOf, CHANGE_ERRORS, changeTerms, keyedChange, PATH_ERRORS, sendSecret } from './terms.js';

/** `/management/orgs/:slug/members`. */
export function memberRoutes(app: App, needs: AppNeeds): void {
  list(app, needs);
  add(app, needs);
  changeOne(app, needs);
  removeOne(app, needs);
  invite(app, needs);
}

function list(app: App, { management }: AppNeeds): void {
  app.get(
    '/management/orgs/:slug/members',
    {
      schema: {
        operationId: 'listMembers',
        summary: 'List the members of an organisation, those of longest standing first',
        params: orgParams,
        response: { 200: z.array(memberSchema), ...PATH_ERRORS },
      },
    },
    (request) => listMembers(management.needs, actorOf(request), request.params.slug),
  );
}

function add(app: App, needs: AppNeeds): void {
  app.post(
    '/management/orgs/:slug/members',
    {
      config: { vouched: true },
      schema: {
        operationId: 'addMember',
        summary: 'Add a member, with at most one’s own role; admins',
        params: orgParams,
        body: memberInputSchema,
        response: { 201: memberSchema, ...CHANGE_ERRORS },
      },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send(
          await keyedChange(needs, request, (terms) => addMember(terms, request.params.slug, request.body)),
        ),
  );
}

function changeOne(app: App, needs: AppNeeds): void {
  app.put(
    '/management/orgs/:slug/members/:userId',
    {
      schema: {
        operationId: 'changeMember',
        summary: 'Change a member’s role; admins, up to their own role',
        params: memberParams,
        body: memberPatchSchema,
        response: { 200: memberSchema, ...CHANGE_ERRORS },
      },
    },
    (request) => changeMemberRole(changeTerms(needs, request), placeOf(request.params), request.body.role),
  );
}

function removeOne(app: App, needs: AppNeeds): void {
  app.delete(
    '/management/orgs/:slug/members/:userId',
    {
      schema: {
        operationId: 'removeMember',
        summary: 'Remove a member; admins, and anybody themself. The last owner stays',
        params: memberParams,
        response: {
          200: z.object({ removed: z.literal(true) }),
          ...errorsOf('MissingField', 'NotFound', 'Conflict'),
        },
      },
    },
    (request) => removeMember(changeTerms(needs, request), placeOf(request.params)),
  );
}

function invite(app: App, needs: AppNeeds): void {
  app.post(
    '/management/orgs/:slug/invitations',
    {
      schema: {
        operationId: 'inviteMember',
        summary:
          'Make an invitation, shown once: who uses it on the page becomes a member; admins, up to their own role',
        params: orgParams,
        body: invitationInputSchema,
        response: {
          201: invitationSchema,
          ...errorsOf('MissingField', 'ValidationError', 'NotFound', 'Unsupported', 'PayloadTooLarge'),
        },
      },
    },
    async (request, reply) => {
      refuseIdempotencyKey(request);
      const { params, body } = request;
      return sendSecret(reply, await inviteMember(changeTerms(needs, request), params.slug, body.role));
    },
  );
}

function placeOf({ slug, userId }: { slug: string; userId: string }): MemberPlace {
  return { orgSlug: slug, userId };
}
