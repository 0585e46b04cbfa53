import { LOCAL_ORG } from '../control/api-keys.sql.js';
import { ServiceError } from '../errors.js';

/** Throws `Conflict` for changes of the organisation `local`, since the configuration names its projects. */
export function assertNotLocal(orgId: string, recovery: string): void {
  if (orgId !== LOCAL_ORG.id) return;
  const message = 'The configuration defines the organisation `local`, its projects and their slugs.';
  throw new ServiceError('Conflict', message, { recovery });
}

/** Remedy for projects that cannot be deleted. */
export const CLOSE_INSTEAD = 'To close a project of it, take its keys out of API_KEYS and revoke the others.';
