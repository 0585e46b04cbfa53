import { ROLES, type Role } from '@colophon/model';

/** The roles that a member may assign: their own and lower ones. */
export function rolesUpTo(own: Role): Role[] {
  return ROLES.slice(ROLES.indexOf(own));
}
