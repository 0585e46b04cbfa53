import * as z from 'zod';

/** Roles of members of an organisation, from most to least rights. Each role includes those after it. */
export const ROLES = ['owner', 'admin', 'developer', 'viewer'] as const;
/** One of `ROLES`. */
export type Role = (typeof ROLES)[number];

/** Permissions of an API key on `/v1`, from least to most. Each permission includes those before it. */
export const PERMISSIONS = ['read', 'write', 'admin'] as const;
/** One of `PERMISSIONS`. */
export type Permission = (typeof PERMISSIONS)[number];

/** A role. */
export const roleSchema = z.enum(ROLES).meta({ description: 'owner > admin > developer > viewer' });
/** A key permission. */
export const permissionSchema = z.enum(PERMISSIONS).meta({ description: 'admin > write > read' });
