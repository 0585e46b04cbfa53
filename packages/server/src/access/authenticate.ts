import { PERMISSIONS, type Permission } from '@colophon/model';
import { type Principal, readLiveProject, readPrincipal } from '../control/api-keys.sql.js';
import { ServiceError } from '../errors.js';
import type { Database } from '../platform/db/database.js';
import { isApiKeyText, keyDigest } from './api-key.js';
import { enrolNamedProject } from './create-key.js';
import type { KeyCache, LookForKey } from './key-cache.js';

/** A key of the configuration and its project. */
export interface StaticKey {
  key: string;
  projectName: string;
}

/** Resolves an `Authorization` header to its principal. */
export type Authenticate = (authorization: string | undefined) => Promise<Principal>;

/** The principal of a configured key, without the settings of its project. */
type ConfiguredPrincipal = Omit<Principal, 'aiTrainingOptOut' | 'limits'>;

/** The principals of configured keys, by the SHA-256 of the key as hex. */
export type StaticPrincipals = ReadonlyMap<string, ConfiguredPrincipal>;

/** Creates the projects of the configured keys if they are missing. */
export async function enrolStaticKeys(
  control: Database,
  staticKeys: readonly StaticKey[],
): Promise<StaticPrincipals> {
  const holders = new Map<string, ConfiguredPrincipal>();
  for (const { key, projectName } of staticKeys) {
    const projectId = await control.transaction((tx) => enrolNamedProject(tx, projectName));
    const digest = keyDigest(key).toString('hex');
    holders.set(digest, {
      keyId: `static:${digest.slice(0, 12)}`,
      projectId,
      permission: 'admin',
      entityId: null,
    });
  }
  return holders;
}

/**
 * Creates a look-up of keys. A configured key takes the settings of its project from the database; all other keys
 * are in the database.
 */
export function createLookForKey(control: Database, staticPrincipals: StaticPrincipals): LookForKey {
  return async (digest) => {
    const principal = staticPrincipals.get(digest.toString('hex'));
    if (principal === undefined) return readPrincipal(control, digest);
    return lookForProject(control, principal);
  };
}

/** A configured key also works during a database outage. The AI training opt-out of its project then counts as set. */
async function lookForProject(control: Database, principal: ConfiguredPrincipal) {
  try {
    const project = await readLiveProject(control, principal.projectId);
    return project && { ...principal, ...project, expiresAt: null };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'Unavailable') throw error;
    // The entry expires immediately, so the next request reads the project again.
    return { ...principal, aiTrainingOptOut: true, expiresAt: new Date() };
  }
}

/**
 * Creates the check of keys. Configured keys are compared; texts with the form of an API key are looked up in the
 * database.
 */
export function createAuthenticate(staticPrincipals: StaticPrincipals, keys: KeyCache): Authenticate {
  return async (authorization) => {
    const key = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
    if (key === undefined)
      throw unauthorized('The Authorization header is missing or is not a Bearer token.');
    const digest = keyDigest(key);
    const isPossible = staticPrincipals.has(digest.toString('hex')) || isApiKeyText(key);
    const principal = isPossible ? await keys.read(digest) : undefined;
    if (principal === undefined) throw unauthorized('The API key is unknown, expired or revoked.');
    return principal;
  };
}

/** Throws `Forbidden` unless the permission of the key includes the needed one. */
export function assertPermission({ permission, projectId }: Principal, needed: Permission): void {
  if (PERMISSIONS.indexOf(permission) >= PERMISSIONS.indexOf(needed)) return;
  const message = `This API key may \`${permission}\`; this operation needs \`${needed}\`.`;
  const body = JSON.stringify({ projectId, name: `${needed} key`, permissions: needed });
  throw new ServiceError('Forbidden', message, {
    recovery:
      `Create a key with that permission: \`POST /management/api-keys\` with ${body}, ` +
      `\`colophon keys create ${projectId} --name "${needed} key" --permission ${needed}\`, or "Manage" on the page.`,
    details: { permission, needed, projectId },
  });
}

/** Throws `Forbidden` for a key that is bound to an entity. */
export function assertUnbound({ entityId }: Principal): void {
  if (entityId === null) return;
  throw new ServiceError('Forbidden', `This API key acts only for entity ${entityId}.`, {
    recovery: 'Use a key that is bound to no entity: the operation affects the whole project.',
  });
}

function unauthorized(message: string): ServiceError {
  return new ServiceError('Unauthorized', message, { headers: { 'www-authenticate': 'Bearer' } });
}
