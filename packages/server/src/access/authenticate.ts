import { PERMISSIONS, type Permission } from '@colophon/model';
import { readLiveProject, readPrincipal, readPrincipals } from '../control/api-keys.sql.js';
import type { KeyPrincipal, Principal } from '../control/principal.js';
import { ServiceError } from '../errors.js';
import type { Database } from '../platform/db/database.js';
import { isApiKeyText, keyDigest } from './api-key.js';
import { enrolNamedProject } from './create-key.js';
import { groupLookUps } from './group-look-ups.js';
import type { KeyCache, LookForKey } from './key-cache.js';

/** An API key from the service's configuration. */
export interface StaticKey {
  key: string;
  projectName: string;
}

/** Returns the principal of an `Authorization` header, or throws `Unauthorized`. */
export type Authenticate = (authorization: string | undefined) => Promise<KeyPrincipal>;

type ConfiguredPrincipal = Omit<KeyPrincipal, 'aiTrainingOptOut' | 'limits'>;

/** The map keys are SHA-256 digests of API keys, in hex. */
export type StaticPrincipals = ReadonlyMap<string, ConfiguredPrincipal>;

/** Creates the missing projects of the configured keys. */
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
      owner: null,
      permission: 'admin',
      entityId: null,
    });
  }
  return holders;
}

export function createLookForKey(control: Database, staticPrincipals: StaticPrincipals): LookForKey {
  const lookTogether = groupLookUps((digests) => lookForKeys(control, digests));
  return async (digest) => {
    const principal = staticPrincipals.get(digest.toString('hex'));
    if (principal === undefined) return lookTogether(digest);
    return lookForProject(control, principal);
  };
}

/** Most calls look up one key, so there is a separate statement for one key. */
async function lookForKeys(control: Database, digests: readonly Buffer[]) {
  const [first, ...others] = digests;
  if (first === undefined || others.length > 0) return readPrincipals(control, digests);
  const found = await readPrincipal(control, first);
  return new Map(found === undefined ? [] : [[first.toString('hex'), found]]);
}

/** A configured key works during a database outage. Its project then counts as opted out of AI training. */
async function lookForProject(control: Database, principal: ConfiguredPrincipal) {
  try {
    const project = await readLiveProject(control, principal.projectId);
    return project && { ...principal, ...project, expiresAt: null };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'Unavailable') throw error;
    // `expiresAt` is now, so that the cache does not keep this result.
    return { ...principal, aiTrainingOptOut: true, expiresAt: new Date() };
  }
}

/** Queries the database only for configured keys, and for texts that have the form of an API key. */
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

export function assertPermission(principal: Principal, needed: Permission): void {
  const { permission, projectId } = principal;
  if (PERMISSIONS.indexOf(permission) >= PERMISSIONS.indexOf(needed)) return;
  if (!('keyId' in principal)) throw roleTooLow(principal, needed);
  const message = `This API key may \`${permission}\`; this operation needs \`${needed}\`.`;
  const body = JSON.stringify({ projectId, name: `${needed} key`, permissions: needed });
  throw new ServiceError('Forbidden', message, {
    recovery:
      `Create a key with that permission: \`POST /management/api-keys\` with ${body}, ` +
      `\`colophon keys create ${projectId} --name "${needed} key" --permission ${needed}\`, or "Manage" on the page.`,
    details: { permission, needed, projectId },
  });
}

function roleTooLow({ permission, projectId }: Principal, needed: Permission): ServiceError {
  const recovery =
    needed === 'admin'
      ? 'Use an API key with the permission `admin`. An admin of the organisation can create one.'
      : 'Ask an admin of the organisation for the role developer.';
  return new ServiceError(
    'Forbidden',
    `On the page, you may \`${permission}\` in this project; this operation needs \`${needed}\`.`,
    { recovery, details: { permission, needed, projectId } },
  );
}

export function assertUnbound({ entityId }: Principal): void {
  if (entityId === null) return;
  throw new ServiceError('Forbidden', `This API key acts only for entity ${entityId}.`, {
    recovery: 'Use a key that is bound to no entity: the operation affects the whole project.',
  });
}

function unauthorized(message: string): ServiceError {
  return new ServiceError('Unauthorized', message, { headers: { 'www-authenticate': 'Bearer' } });
}
