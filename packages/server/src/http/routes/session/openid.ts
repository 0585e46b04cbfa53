import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { OpenIdProvider, PendingSignIn } from '../../../access/openid.js';
import { ServiceError } from '../../../errors.js';
import { signInByOpenId } from '../../../management/sessions/sign-in.js';
import { describeError } from '../../../platform/tracing/log-text.js';
import type { App, AppDeps, PageRouteDeps } from '../../app.js';
import { countOpenIdStep } from '../../middleware/limit-requests.js';
import { signalOfCaller } from '../../wire/caller-signal.js';
import { cookieName, readCookie, setCookie } from '../../wire/cookies.js';
import { giveSession, isHttps } from '../../wire/session-cookie.js';

const PENDING = 'colophon_sign_in';
const PENDING_SECONDS = 600;
const HOME = '/app/manage';
/** A path of the page. An address of another site does not match. */
const RETURN_PATH = /^\/app(?:\/(?!\.{1,2}(?:\/|$))[\w.:~-]+)*\/?(?:\?[\w.*%&=+~:-]*)?$/;

const pendingSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  returnTo: z.string().regex(RETURN_PATH),
});

/**
 * Sign-in with the OpenID provider. A separate cookie stores the `state` that the browser must bring back, so every
 * sign-in begins at `/app/api/openid/begin`. A browser opens these routes as pages, so the documented API omits them.
 */
export function openIdRoutes(app: App, deps: PageRouteDeps): void {
  app.get('/app/api/openid/begin', { schema: { hide: true } }, async (request, reply) => {
    await countOpenIdStep(deps.sessions.limits, { request, reply });
    const { pending, url } = await requireProvider(deps).begin();
    keep(deps, { request, reply }, { ...pending, returnTo: readReturnPath(request) });
    return reply.header('cache-control', 'no-store').redirect(url);
  });
  app.get('/app/api/openid/callback', { schema: { hide: true } }, async (request, reply) => {
    await countOpenIdStep(deps.sessions.limits, { request, reply });
    const provider = requireProvider(deps);
    const pending = readPending(deps, request);
    const back = (path: string) => reply.header('cache-control', 'no-store').redirect(path);
    forget(deps, { request, reply });
    if (pending === undefined) return back(`${HOME}?sign-in=late`);
    try {
      const query = new URL(request.url, 'http://of.the.query').searchParams;
      const user = await provider.finish(query, pending);
      const client = { address: request.ip, requestId: request.id, signal: signalOfCaller(reply) };
      const options = { user, issuer: provider.issuer };
      const session = await signInByOpenId(deps.sessions.deps, client, options);
      giveSession({ request, reply }, session, deps.management.deps.publicUrl);
      return back(pending.returnTo);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      // The other members of this error can have text that a visitor chose in the query.
      request.log.warn({ cause: describeError(error.cause) }, error.message);
      return back(`${HOME}?sign-in=${error.code === 'Forbidden' ? 'refused' : 'failed'}`);
    }
  });
}

function requireProvider({ sessions }: Pick<AppDeps, 'sessions'>): OpenIdProvider {
  const { openId } = sessions.deps;
  if (openId !== undefined) return openId;
  throw new ServiceError('Unavailable', 'No OpenID provider is configured.', {
    recovery: 'Ask the operator to set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.',
  });
}

function readReturnPath({ query }: FastifyRequest): string {
  const { returnTo } = query as { returnTo?: unknown };
  return typeof returnTo === 'string' && returnTo.length <= 512 && RETURN_PATH.test(returnTo)
    ? returnTo
    : HOME;
}

interface OpenIdExchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

function keep(
  { management }: Pick<AppDeps, 'management'>,
  { request, reply }: OpenIdExchange,
  pending: PendingSignIn & { returnTo: string },
): void {
  const value = Buffer.from(JSON.stringify(pending)).toString('base64url');
  const cookie = { name: PENDING, value, sameSite: 'Lax', maxAgeSeconds: PENDING_SECONDS } as const;
  setCookie(reply, cookie, isHttps(request, management.deps.publicUrl));
}

function forget({ management }: Pick<AppDeps, 'management'>, { request, reply }: OpenIdExchange): void {
  const cookie = { name: PENDING, value: '', sameSite: 'Lax', maxAgeSeconds: 0 } as const;
  setCookie(reply, cookie, isHttps(request, management.deps.publicUrl));
}

function readPending({ management }: Pick<AppDeps, 'management'>, request: FastifyRequest) {
  const name = cookieName(PENDING, isHttps(request, management.deps.publicUrl));
  const text = Buffer.from(readCookie(request, name) ?? '', 'base64url').toString();
  try {
    return pendingSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
