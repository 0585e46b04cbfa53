import { PERMISSIONS, type Permission } from '@colophon/model';
import type { Database } from '../db/database.js';
import { ServiceError } from '../errors.js';
import { isApiKeyText, keyDigest } from './api-key.js';
import { ensureProject, type KeyHolder } from './api-keys.sql.js';
import { namedProjectId } from './create-key.js';
import type { KeyCache } from './key-cache.js';

/** A key of the configuration and the project that it opens. */
export interface StaticKey {
  key: string;
  projectName: string;
}

/** Whom an `Authorization` header stands for. */
export type Authenticate = (authorization: string | undefined) => Promise<KeyHolder>;

/** The keys of the configuration by their SHA-256 as hex, and whom they stand for. */
export type StaticHolders = ReadonlyMap<string, KeyHolder>;

/** Makes sure that the projects of the configured keys exist. */
export async function enrolStaticKeys(
  control: Database,
  staticKeys: readonly StaticKey[],
): Promise<StaticHolders> {
  const holders = new Map<string, KeyHolder>();
  for (const { key, projectName } of staticKeys) {
    const projectId = namedProjectId(projectName);
    await control.transaction((tx) => ensureProject(tx, { id: projectId, name: projectName }));
    const digest = keyDigest(key).toString('hex');
    holders.set(digest, {
      keyId: `static:${digest.slice(0, 12)}`,
      projectId,
      permission: 'admin',
      aiTrainingOptOut: false,
    });
  }
  return holders;
}

/** Checks keys: those of the configuration first, as they are, then those of the database. */
export function createAuthenticate(staticHolders: StaticHolders, keys: KeyCache): Authenticate {
  return async (authorization) => {
    const key = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
    if (key === undefined)
      throw unauthorized('The Authorization header is missing or is not a Bearer token.');
    const digest = keyDigest(key);
    const holder =
      staticHolders.get(digest.toString('hex')) ?? (isApiKeyText(key) ? await keys.read(digest) : undefined);
    if (holder === undefined) throw unauthorized('The API key is unknown, expired or revoked.');
    return holder;
  };
}

/** Throws `Forbidden` unless the holder's permission includes the one that is needed. */
export function assertPermission(holder: KeyHolder, needed: Permission): void {
  if (PERMISSIONS.indexOf(holder.permission) >= PERMISSIONS.indexOf(needed)) return;
  throw new ServiceError('Forbidden', `This needs a key with the permission \`${needed}\`.`);
}

function unauthorized(message: string): ServiceError {
  return new ServiceError('Unauthorized', message, { headers: { 'www-authenticate': 'Bearer' } });
}
