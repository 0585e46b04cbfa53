import type { TenantLimits } from '../management/deps.js';
import type { Variables } from './variables.js';

export interface ManagementConfig {
  /** The management secret. Without it, `/management` is off. */
  secret: string | undefined;
  /** Key that encrypts stored secrets: 32 bytes in base64. */
  secretsKey: string | undefined;
  limits: TenantLimits;
}

export function toManagement(read: Variables): ManagementConfig {
  return {
    secret: read.MANAGEMENT_API_KEY,
    secretsKey: read.SECRETS_KEY,
    limits: {
      MAX_USER_ORGS: read.MAX_USER_ORGS,
      MAX_ORG_PROJECTS: read.MAX_ORG_PROJECTS,
      MAX_ORG_MEMBERS: read.MAX_ORG_MEMBERS,
      MAX_ORG_INVITATIONS: read.MAX_ORG_INVITATIONS,
      MAX_PROJECT_PUBLICATIONS: read.MAX_PROJECT_PUBLICATIONS,
    },
  };
}
