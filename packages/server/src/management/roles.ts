import { type Permission, ROLES, type Role } from '@colophon/model';

export const LOWEST_ROLE = {
  'org.read': 'viewer',
  'org.update': 'admin',
  'org.delete': 'owner',
  'member.list': 'viewer',
  'member.add': 'admin',
  'member.change': 'admin',
  'member.remove': 'admin',
  'invitation.list': 'admin',
  'invitation.withdraw': 'admin',
  'project.read': 'viewer',
  'project.create': 'developer',
  'project.update': 'developer',
  'project.publish-log': 'admin',
  'project.delete': 'admin',
  'api-key.list': 'developer',
  'api-key.create': 'developer',
  'api-key.rotate': 'developer',
  'api-key.revoke': 'developer',
  'webhook.list': 'developer',
  'webhook.create': 'developer',
  'webhook.update': 'developer',
  'webhook.rotate': 'developer',
  'webhook.ping': 'developer',
  'webhook.delete': 'developer',
  'usage.read': 'viewer',
  'audit.read': 'admin',
} as const satisfies Record<string, Role>;

export type Ability = keyof typeof LOWEST_ROLE;

/** The highest permission that a member's role may give to a key. */
const HIGHEST_PERMISSION: Record<Role, Permission | undefined> = {
  owner: 'admin',
  admin: 'admin',
  developer: 'write',
  viewer: undefined,
};

/** Applies to requests from the page. Only an API key with `admin` can erase personal data. */
export function pagePermission(role: Role): Permission {
  return isAtLeast(role, 'developer') ? 'write' : 'read';
}

export function isAtLeast(role: Role, other: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(other);
}

export function highestPermission(role: Role): Permission | undefined {
  return HIGHEST_PERMISSION[role];
}
