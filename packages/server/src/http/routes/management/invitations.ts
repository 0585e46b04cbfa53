import { invitationInputSchema, invitationSchema, openInvitationSchema } from '@colophon/model';
import { z } from 'zod';
import { inviteMember } from '../../../management/sessions/invite-member.js';
import { listInvitations, withdrawInvitation } from '../../../management/sessions/open-invitations.js';
import type { App, AppDeps, ControlRouteDeps } from '../../app.js';
import { refuseIdempotencyKey } from '../../handlers/idempotency.js';
import { errorsOf } from '../../wire/error-schemas.js';
import { invitationParams, orgParams } from './params.js';
import { actorOf, changeOptions, PATH_ERRORS, sendSecret } from './terms.js';

export function invitationRoutes(app: App, deps: ControlRouteDeps): void {
  list(app, deps);
  invite(app, deps);
  withdraw(app, deps);
}

function list(app: App, { management }: Pick<AppDeps, 'management'>): void {
  app.get(
    '/management/orgs/:slug/invitations',
    {
      schema: {
        operationId: 'listInvitations',
        summary:
          'List the open invitations of an organisation, newest first, without their secrets; requires the role admin',
        params: orgParams,
        response: { 200: z.array(openInvitationSchema), ...PATH_ERRORS },
      },
    },
    (request) => listInvitations(management.deps, actorOf(request), request.params.slug),
  );
}

function invite(app: App, deps: ControlRouteDeps): void {
  app.post(
    '/management/orgs/:slug/invitations',
    {
      schema: {
        operationId: 'inviteMember',
        summary:
          'Create an invitation for a new member. Only this response shows its secret. Requires the role admin. The invitation grants at most the role of the caller',
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
      return sendSecret(reply, await inviteMember(changeOptions(deps, request), params.slug, body.role));
    },
  );
}

function withdraw(app: App, deps: ControlRouteDeps): void {
  app.delete(
    '/management/orgs/:slug/invitations/:invitationId',
    {
      schema: {
        operationId: 'withdrawInvitation',
        summary:
          'Withdraw an open invitation that grants at most the caller’s own role; requires the role admin',
        params: invitationParams,
        response: { 200: z.object({ withdrawn: z.literal(true) }), ...PATH_ERRORS },
      },
    },
    (request) => {
      const { slug, invitationId } = request.params;
      return withdrawInvitation(changeOptions(deps, request), slug, invitationId);
    },
  );
}
