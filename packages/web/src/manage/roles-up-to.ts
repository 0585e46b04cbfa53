import { ROLES, type Role } from '@colophon/model';

/** A member may assign their own role and lower ones. */
export function rolesUpTo(own: Role): Role[] {
  return ROLES.slice(ROLES.indexOf(own));
}
