import { ROLES, type Role } from '@colophon/model';

/** The roles that somebody may give: at most their own. */
export function rolesUpTo(own: Role): Role[] {
  return ROLES.slice(ROLES.indexOf(own));
}
