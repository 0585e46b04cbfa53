import { createHmac, randomBytes } from 'node:crypto';
import { canonicalJson, type EntityInput } from '@colophon/model';
import type { Database } from '../../platform/db/database.js';
import { uuidv7 } from '../../platform/uuid-v7.js';
import { readTenantKey } from '../read/records.sql.js';

const KEY_BYTES = 32;
const ID_HEX_DIGITS = 32;
const MAX_CACHED_KEYS = 10_000;

export type IdentifyEntity = (projectId: string, input: EntityInput) => Promise<string>;

/** Derives an id by HMAC with a secret of the project, so the id reveals only the role. */
export function createIdentifyEntity(db: Database): IdentifyEntity {
  const keys = new Map<string, Uint8Array>();

  async function keyOf(projectId: string): Promise<Uint8Array> {
    const known = keys.get(projectId);
    if (known !== undefined) return known;
    const key = await readTenantKey(db, projectId, randomBytes(KEY_BYTES));
    if (keys.size >= MAX_CACHED_KEYS) keys.clear();
    keys.set(projectId, key);
    return key;
  }

  return async (projectId, input) => {
    if (input.id !== undefined) return input.id;
    const { role = '' } = input;
    if (input.name === undefined) return `${role}:${uuidv7()}`;
    const marks = [role, input.name, input.publicKey ?? null, input.wallet ?? null];
    const mac = createHmac('sha256', await keyOf(projectId))
      .update(canonicalJson(marks))
      .digest('hex');
    return `${role}:${mac.slice(0, ID_HEX_DIGITS)}`;
  };
}
