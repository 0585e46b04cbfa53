import type {
  InvitationCheck,
  JoinedOrg,
  PageSession,
  PasswordChange,
  SignInRequest,
  SignUpRequest,
} from '@colophon/model';
import { type Client, type ClientOptions, createClient } from './client.js';
import { createManagementClient, type ManagementClient } from './management-client.js';
import { createSoftBindings } from './search/soft-bindings.js';
import { path, requireAddress } from './transport/address.js';
import type { CallOptions } from './transport/call-options.js';
import { createTransport, type TransportOptions } from './transport/transport.js';

/** Sign-in on the page of a service, and the control plane of the signed-in user. */
export interface PageClient {
  /**
   * Returns the signed-in user, if any, and the available ways to sign in.
   *
   * @example
   * (await page.session()).signedIn; // => true
   */
  session(options?: CallOptions): Promise<PageSession>;
  /**
   * Signs in to a local account. Throws `ApiError`: `Unauthorized` for a wrong name or password, `TooManyRequests`.
   *
   * @example
   * const account = { name: 'ann', password };
   * (await page.signIn(account)).signedIn; // => true
   */
  signIn(account: SignInRequest, options?: CallOptions): Promise<PageSession>;
  /**
   * Creates a local account with an invitation, and signs in to it. The invitation is then invalid. Throws
   * `ApiError`: `NotFound` for an invalid invitation, `Conflict` for a name in use, `ValidationError`.
   *
   * @example
   * const { invitation } = await management.orgs.invite('planet');
   * const account = { invitation, name: 'bo', password };
   * (await page.signUp(account)).user.id; // => 'local:bo'
   */
  signUp(account: SignUpRequest, options?: CallOptions): Promise<PageSession>;
  /**
   * Returns whether an invitation can still be used. If so, also returns the organisation, the role and the inviter.
   * The invitation stays valid.
   *
   * @example
   * const { invitation } = await management.orgs.invite('planet');
   * const checked = await page.checkInvitation(invitation);
   * checked.valid && checked.role; // => 'developer'
   */
  checkInvitation(invitation: string, options?: CallOptions): Promise<InvitationCheck>;
  /**
   * Accepts an invitation: the signed-in user becomes a member. Throws `ApiError`: `NotFound` for an invalid
   * invitation, `Conflict` for a user who is already a member.
   *
   * @example
   * const { invitation } = await management.orgs.invite('star', { role: 'viewer' });
   * await page.join(invitation); // => { orgSlug: 'star', orgName: 'Daily Star', role: 'viewer' }
   */
  join(invitation: string, options?: CallOptions): Promise<JoinedOrg>;
  /**
   * Changes the password of the user's local account, and ends all other sessions of the user. Throws `ApiError`
   * `Forbidden` for a wrong current password.
   *
   * @example
   * await page.changePassword({ currentPassword: password, newPassword: password }); // => { changed: true }
   */
  changePassword(change: PasswordChange, options?: CallOptions): Promise<{ changed: true }>;
  /**
   * Returns a client of the records of a project. The signed-in user needs a role in the organisation of the project.
   * With the role `viewer`, the client can only read. With any other role, it can also record. To other users, the
   * service responds as if the project did not exist.
   *
   * @example
   * const [first] = await page.management.projects.list('planet');
   * (await page.project(first.id).entities.list()).entities; // => []
   */
  project(projectId: string, options?: Pick<ClientOptions, 'trustedLog'>): Client;
  /**
   * Ends the session, on every node.
   *
   * @example
   * await page.signOut(); // => { signedIn: false }
   */
  signOut(options?: CallOptions): Promise<{ signedIn: false }>;
  readonly management: ManagementClient;
}

/**
 * Creates a client for the page that the service itself serves. The browser's cookie identifies the user. The token of
 * the session protects changes against forged requests (CSRF). The client works only on that page.
 *
 * @example
 * const page = createPageClient({ url });
 * (await page.session()).ways.password; // => true
 */
export function createPageClient(options: TransportOptions): PageClient {
  let csrfToken = '';
  const url = `${requireAddress(options.url)}/app/api`;
  const headers = () => ({
    ...(typeof options.headers === 'function' ? options.headers() : options.headers),
    'x-csrf-token': csrfToken,
  });
  const shared = { credentials: 'same-origin', ...options, headers, url } as const;
  const { ask } = createTransport(shared);
  const storeToken = async (answer: Promise<PageSession>) => {
    const session = await answer;
    csrfToken = session.signedIn ? session.csrfToken : '';
    return session;
  };
  const post = <Answer>(path: string, json: unknown, called?: CallOptions) =>
    ask<Answer>({ method: 'POST', path, json, repetition: 'never' }, called);
  return {
    session: (called) => storeToken(ask({ method: 'GET', path: '/session' }, called)),
    signIn: (json, called) => storeToken(post('/session', json, called)),
    signUp: (json, called) => storeToken(post('/accounts', json, called)),
    checkInvitation: (invitation, called) => post('/invitation-checks', { invitation }, called),
    join: (invitation, called) => post('/memberships', { invitation }, called),
    changePassword: (json, called) =>
      ask({ method: 'PUT', path: '/password', json, repetition: 'never' }, called),
    signOut: (called) => ask({ method: 'DELETE', path: '/session' }, called),
    project(projectId, given) {
      const { published, labels, service, detect } = createClient(options);
      const own = { ...shared, ...given, url: `${url}${path`/projects/${projectId}`}` };
      const softBindings = createSoftBindings(createTransport(own), '/v1/c2pa');
      return { ...createClient(own), softBindings, published, labels, service, detect };
    },
    management: createManagementClient(shared),
  };
}
