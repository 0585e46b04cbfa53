import { createSecretToken, tokenDigest } from '../../access/secret-token.js';
import type { Tx } from '../../platform/db/database.js';
import { type ChangeOptions, change } from '../change.js';
import type { Actor } from '../deps.js';
import type { SessionDeps } from './deps.js';
import { deleteSession, insertSession, readSessionRow } from './sessions.sql.js';
import { deleteExpiredNetworks } from './sign-in-networks.sql.js';

/** The token exists only in this value and in the browser's cookie. */
export interface Session {
  token: string;
  userId: string;
  way: 'password' | 'openId';
  expiresAt: Date;
}

/** A caller who is not authenticated yet. */
export type AnonymousActor = Pick<Actor, 'address' | 'requestId' | 'signal'>;

/** Value of `way` for a local account. For an OpenID provider, `way` is the issuer. */
export const BY_PASSWORD = 'password';

const LIFE_HOURS = 7 * 24;
const IDLE_HOURS = 12;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Call `rememberNetwork` first (see `deleteExpiredNetworks`). */
export async function startSession(tx: Tx, userId: string, way: string): Promise<Session> {
  const token = createSecretToken();
  const expiresAt = await insertSession(tx, {
    tokenDigest: tokenDigest(token),
    userId,
    way,
    lifeHours: LIFE_HOURS,
  });
  await deleteExpiredNetworks(tx);
  return { token, userId, way: toWay(way), expiresAt };
}

/** Returns undefined when the session has ended, or the service no longer allows its sign-in method. */
export async function readSession(
  { management, passwords, openId }: SessionDeps,
  token: string | undefined,
): Promise<Session | undefined> {
  if (token === undefined || !TOKEN.test(token)) return undefined;
  const ways = [
    ...(passwords === undefined ? [] : [BY_PASSWORD]),
    ...(openId === undefined ? [] : [openId.issuer]),
  ];
  const row = await readSessionRow(management.control, {
    tokenDigest: tokenDigest(token),
    ways,
    idleHours: IDLE_HOURS,
  });
  return row && { token, ...row, way: toWay(row.way) };
}

/** Every node rejects the token from then on. */
export function endSession(options: ChangeOptions, token: string): Promise<{ signedIn: false }> {
  const { userId } = options.actor;
  return change(options, async (tx) => {
    await deleteSession(tx, tokenDigest(token));
    return { answer: { signedIn: false }, action: 'session.end', target: userId, orgId: null };
  });
}

function toWay(way: string): Session['way'] {
  return way === BY_PASSWORD ? 'password' : 'openId';
}
