import type { FastifyRequest } from 'fastify';
import { isCsrfTokenOf } from '../../access/secret-token.js';
import { ServiceError } from '../../errors.js';
import { readSession, type Session } from '../../management/sessions/session.js';
import type { App, AppDeps, PageRouteDeps } from '../app.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { isSafe } from '../wire/is-safe.js';
import { readSessionToken } from '../wire/session-cookie.js';

/**
 * Throws `Forbidden` for requests from pages of other sites. A change needs an `Origin`. The check of `Host` prevents
 * DNS rebinding.
 */
export function assertOwnPage(request: FastifyRequest, publicUrl: string | undefined): void {
  const { origin, 'sec-fetch-site': site = 'same-origin' } = request.headers;
  if (!isOwnHost(request, publicUrl)) throw otherHost(request, publicUrl);
  const mayLackOrigin = isSafe(request.method);
  const isOwn = origin === undefined ? mayLackOrigin : isOwnOrigin(request, origin, publicUrl);
  if (isOwn && ['same-origin', 'none'].includes(String(site))) return;
  throw new ServiceError('Forbidden', 'Only the page of this service can use this route.', {
    recovery: 'Open the page at the address of this service. A server uses /management instead.',
  });
}

/**
 * Whether the request names a host of the page. Also returns true for the origin of PUBLIC_URL, because only the page
 * sends this `Origin`.
 */
function isOwnHost({ headers, host, hostname }: FastifyRequest, publicUrl: string | undefined): boolean {
  if (LOOPBACK.test(hostname)) return true;
  if (publicUrl === undefined) return false;
  const own = new URL(publicUrl);
  return host === own.host || headers.origin === own.origin;
}

const LOOPBACK = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[?::1\]?)$/;

function otherHost({ host }: FastifyRequest, publicUrl: string | undefined): ServiceError {
  const named = publicUrl === undefined ? 'PUBLIC_URL is not set' : `PUBLIC_URL is ${publicUrl}`;
  return new ServiceError('Forbidden', `The page is not available under the host ${host}: ${named}.`, {
    recovery:
      'Ask the operator to set PUBLIC_URL to the address of the page. A proxy in front must forward the header `Host`.',
  });
}

/** The scheme may differ from that of the request, because only the proxy in front may use TLS. */
function isOwnOrigin(request: FastifyRequest, origin: string, publicUrl: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  return host === request.host || (publicUrl !== undefined && origin === new URL(publicUrl).origin);
}

export function readSessionOf(
  { sessions, management }: Pick<AppDeps, 'sessions' | 'management'>,
  request: FastifyRequest,
): Promise<Session | undefined> {
  return readSession(sessions.deps, readSessionToken(request, management.deps.publicUrl));
}

/** Throws `Unauthorized` without a session, and `Forbidden` for a change without the CSRF token of the session. */
export async function requireSession(
  deps: Pick<AppDeps, 'sessions' | 'management'>,
  request: FastifyRequest,
): Promise<Session> {
  const session = await readSessionOf(deps, request);
  if (session === undefined) {
    throw new ServiceError('Unauthorized', 'Nobody is signed in, or the session has ended.', {
      headers: { 'www-authenticate': 'Session' },
      recovery: 'Sign in.',
    });
  }
  if (!isSafe(request.method)) assertCsrfToken(request, session);
  return session;
}

/** Admits signed-in users. A change also needs the CSRF token of the session. */
export function guardSession(app: App, deps: PageRouteDeps): void {
  app.addHook('onRequest', async (request, reply) => {
    const session = await requireSession(deps, request);
    if (request.routeOptions.config.vouched) throw unvouched();
    request.session = session;
    const { ip: address, id: requestId } = request;
    const signal = signalOfCaller(reply);
    request.actor = { userId: session.userId, address, requestId, isNew: false, signal };
  });
}

/** The page may not add a user by name. Otherwise, anybody could add a user to an organisation and read their data. */
function unvouched(): ServiceError {
  return new ServiceError('Forbidden', 'A person becomes a member only with their own consent.', {
    recovery: 'Invite them: POST /app/api/management/orgs/:slug/invitations.',
  });
}

function assertCsrfToken({ headers }: FastifyRequest, { token }: Session): void {
  if (isCsrfTokenOf(token, String(headers['x-csrf-token'] ?? ''))) return;
  throw new ServiceError('Forbidden', 'The CSRF token is missing, or belongs to another session.', {
    recovery: 'Send the csrfToken of GET /app/api/session in X-CSRF-Token.',
  });
}

/** Returns the session of a request that `guardSession` admitted. */
export function sessionOf({ session }: FastifyRequest): Session {
  if (session === undefined) throw new Error('A route of the page ran before its session was read');
  return session;
}
