import * as z from 'zod';

/** Roles of members of an organisation. Each role includes the rights of the roles after it. */
export const ROLES = ['owner', 'admin', 'developer', 'viewer'] as const;
/** A role of `ROLES`. */
export type Role = (typeof ROLES)[number];

/** Permissions of an API key on `/v1`. Each permission includes the permissions before it. */
export const PERMISSIONS = ['read', 'write', 'admin'] as const;
/** A permission of `PERMISSIONS`. */
export type Permission = (typeof PERMISSIONS)[number];

/** Schema of a role. */
export const roleSchema = z.enum(ROLES).meta({
  description:
    'From most to fewest rights: owner, admin, developer, viewer. Each role includes the rights of the roles after it',
});
/** Schema of a permission of an API key. */
export const permissionSchema = z.enum(PERMISSIONS).meta({
  description:
    'From most to fewest rights: admin, write, read. Each permission includes the permissions after it',
});
