import { csrfTokenOf } from '../../src/access/secret-token.js';
import { ensureAccount } from '../../src/management/accounts.sql.js';
import { inviteFirstAccount } from '../../src/management/sessions/invite-member.js';
import { BY_PASSWORD, startSession } from '../../src/management/sessions/session.js';
import type { Service } from './service.js';

export const PASSWORD = 'correct horse battery staple';

/** A signed-in user of the page. */
export interface PageUser {
  userId: string;
  /** The session's cookie and CSRF token, and the origin of the page. */
  headers: Record<string, string>;
  /** Sends a request under `/app/api`. The default method with a body is POST. */
  ask(path: string, init?: PageAsk): Promise<Response>;
}

/** The parts of a request other than its cookie. */
export interface PageAsk {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Without a cookie in `headers`, the request has no session. */
export function askAsPage(
  service: Pick<Service, 'base'>,
  path: string,
  { method, body, headers }: PageAsk = {},
): Promise<Response> {
  return fetch(`${service.base}/app/api${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    redirect: 'manual',
    headers: {
      origin: service.base,
      'sec-fetch-site': 'same-origin',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Returns the cookies of an answer in the form in which a browser sends them back. */
export function cookiesOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0] ?? '')
    .join('; ');
}

/** `answer` is the response to the sign-in. Throws if the sign-in failed. */
export async function toPageUser(service: Pick<Service, 'base'>, answer: Response): Promise<PageUser> {
  if (answer.status !== 201) throw new Error(`The sign-in failed: ${await answer.text()}`);
  const { user, csrfToken } = await answer.json();
  return asUser(service, user.id, { cookie: cookiesOf(answer), 'x-csrf-token': csrfToken });
}

/** Needs no sign-in. Creates the account of a new user. */
export async function startPageSession(service: Service, userId: string): Promise<PageUser> {
  const { token } = await service.context.databases.control.transaction(async (tx) => {
    await ensureAccount(tx, userId);
    return startSession(tx, userId, BY_PASSWORD);
  });
  const session = { cookie: `colophon_session=${token}`, 'x-csrf-token': csrfTokenOf(token) };
  return asUser(service, userId, session);
}

function asUser(
  service: Pick<Service, 'base'>,
  userId: string,
  session: Record<'cookie' | 'x-csrf-token', string>,
): PageUser {
  const headers = { ...session, origin: service.base };
  const ask: PageUser['ask'] = (path, init = {}) =>
    askAsPage(service, path, { ...init, headers: { ...headers, ...init.headers } });
  return { userId, headers, ask };
}

/** The first account is an owner of the organisation `local`. */
export async function signUpFirst(service: Service, name = 'ann'): Promise<PageUser> {
  const path = await inviteFirstAccount(service.context.databases.control);
  return signUp(service, { name, invitation: path?.split('#')[1] });
}

/** The account `ann` also creates the organisation `planet`. */
export async function signUpWithPlanet(service: Service): Promise<PageUser> {
  const ann = await signUpFirst(service);
  await ann.ask('/management/orgs', { body: { name: 'Daily Planet', slug: 'planet' } });
  return ann;
}

export async function inviteToPlanet(by: PageUser, role = 'developer') {
  return (await by.ask('/management/orgs/planet/invitations', { body: { role } })).json();
}

export async function signUp(
  service: Pick<Service, 'base'>,
  { name, invitation }: { name: string; invitation: string | undefined },
): Promise<PageUser> {
  const body = { invitation, name, password: PASSWORD };
  return toPageUser(service, await askAsPage(service, '/accounts', { body }));
}
