import type { FastifyRequest } from 'fastify';
import { isCsrfTokenOf } from '../access/secret-token.js';
import { ServiceError } from '../errors.js';
import { readSession, type Session } from '../management/sessions/session.js';
import type { App, AppNeeds } from './app.js';
import { readSessionToken } from './session-cookie.js';

const SAFE = ['GET', 'HEAD'];

/** Throws `Forbidden` for what somebody else's page sends: told by `Sec-Fetch-Site`, and by `Origin` where something changes. */
export function assertOwnPage(request: FastifyRequest, publicUrl: string | undefined): void {
  const { origin, 'sec-fetch-site': site = 'same-origin' } = request.headers;
  const mayLackOrigin = SAFE.includes(request.method);
  const isOwn = origin === undefined ? mayLackOrigin : isOwnOrigin(request, origin, publicUrl);
  if (isOwn && ['same-origin', 'none'].includes(String(site))) return;
  throw new ServiceError('Forbidden', 'This is for the page of this service alone.', {
    recovery: 'Open the page at the address of this service; servers use /management.',
  });
}

/** The host decides: a proxy before the service may speak TLS where the service does not. */
function isOwnOrigin(request: FastifyRequest, origin: string, publicUrl: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  return host === request.host || (publicUrl !== undefined && origin === new URL(publicUrl).origin);
}

/** Who is signed in, if anybody. */
export function readSessionOf(
  { sessions, management }: AppNeeds,
  request: FastifyRequest,
): Promise<Session | undefined> {
  return readSession(sessions.needs, readSessionToken(request, management.needs.publicUrl));
}

/** Lets through who is signed in; whatever changes something needs the session's CSRF token too. */
export function guardSession(app: App, needs: AppNeeds): void {
  app.addHook('onRequest', async (request) => {
    const session = await readSessionOf(needs, request);
    if (session === undefined) {
      throw new ServiceError('Unauthorized', 'Nobody is signed in, or the session is over.', {
        headers: { 'www-authenticate': 'Session' },
        recovery: 'Sign in.',
      });
    }
    if (!SAFE.includes(request.method)) assertCsrfToken(request, session);
    if (request.routeOptions.config.vouched) throw unvouched();
    request.session = session;
    request.actor = { userId: session.userId, address: request.ip, requestId: request.id, isNew: false };
  });
}

/** Else anybody could make any user a member of theirs, and read there what the member list says of them. */
function unvouched(): ServiceError {
  return new ServiceError('Forbidden', 'Nobody is made a member without their own consent.', {
    recovery: 'Invite them: POST /app/api/management/orgs/:slug/invitations.',
  });
}

function assertCsrfToken({ headers }: FastifyRequest, { token }: Session): void {
  if (isCsrfTokenOf(token, String(headers['x-csrf-token'] ?? ''))) return;
  throw new ServiceError('Forbidden', 'The CSRF token is absent, or not of this session.', {
    recovery: 'Send the csrfToken of GET /app/api/session in X-CSRF-Token.',
  });
}

/** The session of a request that `guardSession` let through. */
export function sessionOf({ session }: FastifyRequest): Session {
  if (session === undefined) throw new Error('A route of the page ran before its session was read');
  return session;
}
