import {
  invitationCheckSchema,
  invitationUseSchema,
  joinedOrgSchema,
  type PageSession,
  pageSessionSchema,
  passwordChangeSchema,
  signInSchema,
  signUpSchema,
} from '@colophon/model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { csrfTokenOf } from '../../../access/secret-token.js';
import { readOwnAccount } from '../../../management/own-account.js';
import { changePassword } from '../../../management/sessions/change-password.js';
import type { AnonymousActor, Session } from '../../../management/sessions/session.js';
import { endSession } from '../../../management/sessions/session.js';
import { hasSignedInFrom, signIn } from '../../../management/sessions/sign-in.js';
import { signUp } from '../../../management/sessions/sign-up.js';
import { checkInvitation, joinOrg } from '../../../management/sessions/use-invitation.js';
import type { App, AppDeps, PageRouteDeps } from '../../app.js';
import { readSessionOf, sessionOf } from '../../middleware/guard-page.js';
import { countAccount } from '../../middleware/limit-requests.js';
import { signalOfCaller } from '../../wire/caller-signal.js';
import { errorsOf } from '../../wire/error-schemas.js';
import { giveSession, takeSession } from '../../wire/session-cookie.js';
import { actorOf, changeOptions } from '../management/terms.js';

const BODY_ERRORS = ['InvalidField', 'ValidationError', 'Unsupported', 'PayloadTooLarge'] as const;

/** The routes of the page that need no session. */
export function sessionRoutes(app: App, deps: PageRouteDeps): void {
  app.get(
    '/app/api/session',
    {
      schema: {
        operationId: 'getPageSession',
        summary: 'Get the session of the browser, and the available ways to sign in',
        security: [],
        response: { 200: pageSessionSchema, ...errorsOf() },
      },
    },
    async (request, reply) => {
      const session = await readSessionOf(deps, request);
      return reply.header('cache-control', 'no-store').send(await describeSession(deps, session));
    },
  );
  app.post(
    '/app/api/session',
    {
      config: { triesPassword: true },
      schema: {
        operationId: 'signIn',
        summary: 'Sign in with a local account; the response sets the cookie',
        security: [],
        body: signInSchema,
        response: { 201: pageSessionSchema, ...errorsOf(...BODY_ERRORS) },
      },
    },
    async (request, reply) => {
      const { name } = request.body;
      const client = clientOf(request, reply);
      const isKnown = () => hasSignedInFrom(deps.sessions.deps, client, name);
      await countAccount(deps.sessions.limits, name, { request, reply, isKnown });
      return welcome(deps, { request, reply }, await signIn(deps.sessions.deps, client, request.body));
    },
  );
  app.post(
    '/app/api/accounts',
    {
      config: { triesPassword: true },
      schema: {
        operationId: 'signUp',
        summary: 'Create a local account with an invitation, and sign in',
        security: [],
        body: signUpSchema,
        response: { 201: pageSessionSchema, ...errorsOf(...BODY_ERRORS, 'NotFound', 'Conflict') },
      },
    },
    async (request, reply) => {
      await countAccount(deps.sessions.limits, request.body.name, { request, reply });
      return welcome(
        deps,
        { request, reply },
        await signUp(deps.sessions.deps, clientOf(request, reply), request.body),
      );
    },
  );
  app.post(
    '/app/api/invitation-checks',
    {
      schema: {
        operationId: 'checkInvitation',
        summary:
          'Check whether an invitation can still be used, and read who invites to which organisation; the check does not use up the invitation',
        security: [],
        body: invitationUseSchema,
        response: { 200: invitationCheckSchema, ...errorsOf(...BODY_ERRORS) },
      },
    },
    (request, reply) =>
      checkInvitation(deps.management.deps.control, clientOf(request, reply), request.body.invitation),
  );
}

/** The routes of a signed-in user. */
export function ownSessionRoutes(app: App, deps: PageRouteDeps): void {
  app.delete(
    '/app/api/session',
    {
      schema: {
        operationId: 'signOut',
        summary: 'Sign out: the session ends everywhere',
        response: { 200: z.object({ signedIn: z.literal(false) }), ...errorsOf() },
      },
    },
    async (request, reply) => {
      const answer = await endSession(changeOptions(deps, request), sessionOf(request).token);
      takeSession({ request, reply }, deps.management.deps.publicUrl);
      return answer;
    },
  );
  app.put(
    '/app/api/password',
    {
      config: { triesPassword: true },
      schema: {
        operationId: 'changePassword',
        summary: 'Change the password of the user’s local account; all other sessions of the user end',
        body: passwordChangeSchema,
        response: { 200: z.object({ changed: z.literal(true) }), ...errorsOf(...BODY_ERRORS) },
      },
    },
    async (request, reply) => {
      const actor = actorOf(request);
      await countAccount(deps.sessions.limits, actor.userId, { request, reply });
      return changePassword(deps.sessions.deps, { actor, token: sessionOf(request).token }, request.body);
    },
  );
  app.post(
    '/app/api/memberships',
    {
      schema: {
        operationId: 'joinOrg',
        summary: 'Become a member of an organisation with an invitation',
        body: invitationUseSchema,
        response: { 201: joinedOrgSchema, ...errorsOf(...BODY_ERRORS, 'NotFound', 'Conflict') },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await joinOrg(changeOptions(deps, request), request.body.invitation)),
  );
}

function clientOf({ ip, id }: FastifyRequest, reply: FastifyReply): AnonymousActor {
  return { address: ip, requestId: id, signal: signalOfCaller(reply) };
}

async function welcome(
  deps: PageRouteDeps,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  session: Session,
) {
  giveSession({ request, reply }, session, deps.management.deps.publicUrl);
  reply.code(201).header('cache-control', 'no-store');
  return reply.send(await describeSession(deps, session));
}

async function describeSession(
  { sessions, management }: Pick<AppDeps, 'sessions' | 'management'>,
  session: Session | undefined,
): Promise<PageSession> {
  const { passwords, openId } = sessions.deps;
  const ways = {
    password: passwords !== undefined,
    openId: openId === undefined ? null : new URL(openId.issuer).host,
  };
  if (session === undefined) return { signedIn: false, ways };
  const { userId, way, token, expiresAt } = session;
  return {
    signedIn: true,
    ways,
    way,
    user: await readOwnAccount(management.deps, { userId }),
    csrfToken: csrfTokenOf(token),
    expiresAt: expiresAt.toISOString(),
  };
}
