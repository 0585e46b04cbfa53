import { csrfTokenOf } from '../../src/access/secret-token.js';
import { ensureAccount } from '../../src/management/accounts.sql.js';
import { inviteFirstAccount } from '../../src/management/sessions/invite-member.js';
import { BY_PASSWORD, startSession } from '../../src/management/sessions/session.js';
import type { Service } from './service.js';

/** A password that is long enough. */
export const PASSWORD = 'correct horse battery staple';

/** A signed-in user of the page, with the headers of a browser. */
export interface PageUser {
  userId: string;
  /** The headers of a browser: the session's cookie and CSRF token, and the origin of the page. */
  headers: Record<string, string>;
  /** Sends a request under `/app/api`. With a body the default method is POST. */
  ask(path: string, init?: PageAsk): Promise<Response>;
}

/** The parts of a page's request other than its cookie. */
export interface PageAsk {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Sends a request under `/app/api` as the page does. Without a cookie in `headers`, the request has no session. */
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

/** The cookies of an answer, in the form in which a browser sends them back. */
export function cookiesOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0] ?? '')
    .join('; ');
}

/** Returns the user who signed in. `answer` is the response to the sign-in. Throws if the sign-in failed. */
export async function toPageUser(service: Pick<Service, 'base'>, answer: Response): Promise<PageUser> {
  if (answer.status !== 201) throw new Error(`The sign-in failed: ${await answer.text()}`);
  const { user, csrfToken } = await answer.json();
  return asUser(service, user.id, { cookie: cookiesOf(answer), 'x-csrf-token': csrfToken });
}

/** Starts a session of a user without a sign-in. Creates the account of a new user. */
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

/** Creates the first account, an owner of the organisation `local`. */
export async function signUpFirst(service: Service, name = 'ann'): Promise<PageUser> {
  const path = await inviteFirstAccount(service.context.databases.control);
  return signUp(service, { name, invitation: path?.split('#')[1] });
}

/** Creates the account `ann` with the invitation for the first account. Ann then creates the organisation `planet`. */
export async function signUpWithPlanet(service: Service): Promise<PageUser> {
  const ann = await signUpFirst(service);
  await ann.ask('/management/orgs', { body: { name: 'Daily Planet', slug: 'planet' } });
  return ann;
}

/** Invites a person into the organisation `planet`. Returns the body of the response. */
export async function inviteToPlanet(by: PageUser, role = 'developer') {
  return (await by.ask('/management/orgs/planet/invitations', { body: { role } })).json();
}

/** Creates an account with the code of an invitation. */
export async function signUp(
  service: Pick<Service, 'base'>,
  { name, invitation }: { name: string; invitation: string | undefined },
): Promise<PageUser> {
  const body = { invitation, name, password: PASSWORD };
  return toPageUser(service, await askAsPage(service, '/accounts', { body }));
}
