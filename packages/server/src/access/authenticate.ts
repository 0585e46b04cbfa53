import type { Database } from '../db/database.js';
import { ServiceError } from '../errors.js';
import { isApiKeyText, keyDigest, PERMISSIONS, type Permission } from './api-key.js';
import { ensureProject, type KeyHolder, readKeyHolder } from './api-keys.sql.js';
import { namedProjectId } from './create-key.js';

/** A key of the configuration and the project that it opens. */
export interface StaticKey {
  key: string;
  projectName: string;
}

/** Whom an `Authorization` header stands for. */
export type Authenticate = (authorization: string | undefined) => Promise<KeyHolder>;

/** Checks keys: those of the configuration first, as they are, then those of the database. */
export async function createAuthenticate(
  control: Database,
  staticKeys: readonly StaticKey[],
): Promise<Authenticate> {
  const holders = new Map<string, KeyHolder>();
  for (const { key, projectName } of staticKeys) {
    const projectId = namedProjectId(projectName);
    await control.transaction((tx) => ensureProject(tx, { id: projectId, name: projectName }));
    const digest = keyDigest(key).toString('hex');
    holders.set(digest, { keyId: `static:${digest.slice(0, 12)}`, projectId, permission: 'admin' });
  }

  const readHolder = rememberBriefly((digest: Buffer) => readKeyHolder(control, digest));

  return async (authorization) => {
    const key = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
    if (key === undefined)
      throw unauthorized('The Authorization header is missing or is not a Bearer token.');
    const digest = keyDigest(key);
    const holder =
      holders.get(digest.toString('hex')) ?? (isApiKeyText(key) ? await readHolder(digest) : undefined);
    if (holder === undefined) throw unauthorized('The API key is unknown, expired or revoked.');
    return holder;
  };
}

/** A revocation elsewhere takes effect within this time. */
const REMEMBERED_MS = 1_000;
const MAX_REMEMBERED = 10_000;

/** The same look-up, whose finds are remembered for a moment; what was not found is looked for again. */
function rememberBriefly(
  look: (digest: Buffer) => Promise<KeyHolder | undefined>,
): (digest: Buffer) => Promise<KeyHolder | undefined> {
  const remembered = new Map<string, { holder: KeyHolder; until: number }>();
  return async (digest) => {
    const name = digest.toString('base64');
    const known = remembered.get(name);
    if (known !== undefined && known.until > Date.now()) return known.holder;
    const holder = await look(digest);
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    if (holder === undefined) remembered.delete(name);
    else remembered.set(name, { holder, until: Date.now() + REMEMBERED_MS });
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
