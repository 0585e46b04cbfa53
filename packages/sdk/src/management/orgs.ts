import type {
  AuditEntry,
  Invitation,
  InvitationRequest,
  Member,
  MemberRequest,
  OpenInvitation,
  Org,
  OrgInput,
  OrgPatch,
  Role,
} from '@colophon/model';
import { eachOf, type PageQuery } from '../pages.js';
import { path } from '../transport/address.js';
import type { CallOptions } from '../transport/call-options.js';
import type { Transport } from '../transport/transport.js';
import type { SecretCallOptions } from './api-keys.js';

/** A page of the audit log, newest first. `count` is the number of entries on this page. */
export interface AuditPage {
  entries: AuditEntry[];
  count: number;
  nextCursor: string | null;
}

/** Organisations, their members, and the audit log. Roles, most rights first: owner, admin, developer, viewer. */
export interface Orgs {
  /**
   * Returns the organisations of the user.
   *
   * @example
   * (await management.orgs.list()).map(({ slug }) => slug); // => ['planet']
   */
  list(options?: CallOptions): Promise<Org[]>;
  /**
   * Creates an organisation. The user becomes the owner of the organisation. Throws `ApiError`: `Conflict` for a slug
   * in use, `ValidationError`.
   *
   * @example
   * (await management.orgs.create({ name: 'Daily Star', slug: 'star' })).role; // => 'owner'
   */
  create(org: OrgInput, options?: CallOptions): Promise<Org>;
  /**
   * Returns an organisation. Throws `ApiError` `NotFound`, also when the user is not a member.
   *
   * @example
   * (await management.orgs.get('planet')).name; // => 'Daily Planet'
   */
  get(slug: string, options?: CallOptions): Promise<Org>;
  /**
   * Changes the name; the slug cannot change. Requires the role `admin`. Throws `ApiError`: `NotFound`, `Forbidden`,
   * `ValidationError`.
   *
   * @example
   * (await management.orgs.update('planet', { name: 'The Planet' })).name; // => 'The Planet'
   */
  update(slug: string, patch: OrgPatch, options?: CallOptions): Promise<Org>;
  /**
   * Deletes an organisation. The records of its projects stay. The keys of its projects become invalid. Requires the
   * role `owner`. Throws `ApiError`: `NotFound`, `Forbidden`.
   *
   * @example
   * await management.orgs.create({ name: 'Short lived', slug: 'short-lived' });
   * await management.orgs.delete('short-lived'); // => { deleted: true }
   */
  delete(slug: string, options?: CallOptions): Promise<{ deleted: true }>;
  /**
   * Returns the members of an organisation. Throws `ApiError` `NotFound`.
   *
   * @example
   * (await management.orgs.members('planet')).map(({ userId, role }) => [userId, role]); // => [['ann', 'owner']]
   */
  members(slug: string, options?: CallOptions): Promise<Member[]>;
  /**
   * Adds a user; the default role is `developer`. Requires the role `admin`. A user with a page session always gets
   * `Forbidden`, and must call `invite` instead. Throws `ApiError`: `Conflict` for a user who is already a member,
   * `NotFound`, `Forbidden`, `ValidationError`.
   *
   * @example
   * (await management.orgs.addMember('planet', { userId: 'bo', role: 'viewer' })).role; // => 'viewer'
   */
  addMember(slug: string, member: MemberRequest, options?: CallOptions): Promise<Member>;
  /**
   * Changes a member's role. Requires the role `admin`. Throws `ApiError`: `NotFound`, `Forbidden`, `Conflict` for
   * the last owner.
   *
   * @example
   * await management.orgs.addMember('planet', { userId: 'cy' });
   * (await management.orgs.changeMember('planet', 'cy', { role: 'admin' })).role; // => 'admin'
   */
  changeMember(slug: string, userId: string, patch: { role: Role }, options?: CallOptions): Promise<Member>;
  /**
   * Removes a member. Requires the role `admin`, except for members who remove themselves. Throws `ApiError`:
   * `NotFound`, `Forbidden`, `Conflict` for the last owner.
   *
   * @example
   * await management.orgs.addMember('planet', { userId: 'dee' });
   * await management.orgs.removeMember('planet', 'dee'); // => { removed: true }
   */
  removeMember(slug: string, userId: string, options?: CallOptions): Promise<{ removed: true }>;
  /**
   * Creates an invitation. Only this response contains its secret. A user who opens `path` on the page of the service
   * within three days becomes a member. The default role is `developer`. Requires the role `admin`. Throws `ApiError`:
   * `NotFound`, `Forbidden`.
   *
   * @example
   * const { path, invitation } = await management.orgs.invite('planet', { role: 'viewer' });
   * path === `/app/manage/join#${invitation}`; // => true
   */
  invite(slug: string, invitation?: InvitationRequest, options?: SecretCallOptions): Promise<Invitation>;
  /**
   * Returns the open invitations, newest first, without their secrets. Requires the role `admin`. Throws `ApiError`:
   * `NotFound`, `Forbidden`.
   *
   * @example
   * const { id } = await management.orgs.invite('planet', { role: 'viewer' });
   * (await management.orgs.invitations('planet'))[0].id === id; // => true
   */
  invitations(slug: string, options?: CallOptions): Promise<OpenInvitation[]>;
  /**
   * Withdraws an open invitation, so that its link no longer works. Requires the role `admin`. Throws `ApiError`:
   * `NotFound` for a used or expired invitation, `Forbidden`.
   *
   * @example
   * const { id } = await management.orgs.invite('planet', { role: 'viewer' });
   * await management.orgs.withdrawInvitation('planet', id); // => { withdrawn: true }
   */
  withdrawInvitation(slug: string, id: string, options?: CallOptions): Promise<{ withdrawn: true }>;
  /**
   * Returns one page of the audit log, newest first. Requires the role `admin`. Throws `ApiError`: `NotFound`,
   * `Forbidden`.
   *
   * @example
   * const { entries } = await management.orgs.audit('planet', { limit: 1 });
   * entries[0].userId; // => 'ann'
   */
  audit(slug: string, query?: PageQuery, options?: CallOptions): Promise<AuditPage>;
  /**
   * Yields all entries of the audit log, newest first. Requests one page at a time.
   *
   * @example
   * const actions = [];
   * for await (const { action } of management.orgs.auditAll('planet')) actions.push(action);
   * actions.at(-1); // => 'org.create'
   */
  auditAll(
    slug: string,
    query?: PageQuery,
    options?: CallOptions,
  ): AsyncGenerator<AuditEntry, void, undefined>;
}

export function createOrgs({ ask }: Transport): Orgs {
  const audit: Orgs['audit'] = (slug, query = {}, options) =>
    ask({ method: 'GET', path: path`/orgs/${slug}/audit`, query: { ...query } }, options);
  return {
    list: (options) => ask({ method: 'GET', path: '/orgs' }, options),
    create: (json, options) => ask({ method: 'POST', path: '/orgs', json }, options),
    get: (slug, options) => ask({ method: 'GET', path: path`/orgs/${slug}` }, options),
    update: (slug, json, options) => ask({ method: 'PUT', path: path`/orgs/${slug}`, json }, options),
    delete: (slug, options) => ask({ method: 'DELETE', path: path`/orgs/${slug}` }, options),
    members: (slug, options) => ask({ method: 'GET', path: path`/orgs/${slug}/members` }, options),
    addMember: (slug, json, options) =>
      ask({ method: 'POST', path: path`/orgs/${slug}/members`, json }, options),
    changeMember: (slug, userId, json, options) =>
      ask({ method: 'PUT', path: path`/orgs/${slug}/members/${userId}`, json }, options),
    removeMember: (slug, userId, options) =>
      ask({ method: 'DELETE', path: path`/orgs/${slug}/members/${userId}` }, options),
    invite: (slug, json = {}, options) =>
      ask({ method: 'POST', path: path`/orgs/${slug}/invitations`, json, repetition: 'never' }, options),
    invitations: (slug, options) => ask({ method: 'GET', path: path`/orgs/${slug}/invitations` }, options),
    withdrawInvitation: (slug, id, options) =>
      ask({ method: 'DELETE', path: path`/orgs/${slug}/invitations/${id}` }, options),
    audit,
    auditAll: (slug, query = {}, options) =>
      eachOf(
        query,
        (page) => audit(slug, page, options),
        ({ entries }) => entries,
      ),
  };
}
