import type { SignIn } from '@colophon/model';
import type { OpenIdUser } from '../../access/openid.js';
import { listSignInAddresses } from '../../control/audit-log.sql.js';
import { ServiceError } from '../../errors.js';
import type { Tx } from '../../platform/db/database.js';
import { networkOf } from '../../platform/net/client-address.js';
import { ensureAccount, updateAccount } from '../accounts.sql.js';
import { change } from '../change.js';
import type { SessionDeps } from './deps.js';
import { requirePasswords, toLocalUserId } from './local-account.js';
import { findPasswordTurn, rememberNetwork } from './password-turn.js';
import { holdPassword, readPassword } from './passwords.sql.js';
import { type AnonymousActor, BY_PASSWORD, type Session, startSession } from './session.js';

/** Throws the same `Unauthorized` for a wrong password and for an unknown name. */
export async function signIn(
  deps: SessionDeps,
  client: AnonymousActor,
  { name, password }: SignIn,
): Promise<Session> {
  const passwords = requirePasswords(deps);
  const userId = toLocalUserId(name);
  const { control } = deps.management;
  const caller = { turn: await findPasswordTurn(control, client), signal: client.signal };
  const stored = await readPassword(control, userId);
  if (!(await passwords.matches(password, stored, caller)) || stored === undefined) throw wrong();
  // Without this second check, a concurrent change of the password would not end this session.
  const enrol = async (tx: Tx) => {
    if (!(await holdPassword(tx, userId, stored))) throw wrong();
  };
  return begin(deps, { client, userId, way: BY_PASSWORD, enrol });
}

/** Whether somebody signed in to the local account from the network of the client during the last 30 days. */
export async function hasSignedInFrom(
  { management: { control } }: SessionDeps,
  { address }: Pick<AnonymousActor, 'address'>,
  name: string,
): Promise<boolean> {
  if (address === null) return false;
  const addresses = await listSignInAddresses(control, toLocalUserId(name));
  return addresses.map(networkOf).includes(networkOf(address));
}

function wrong(): ServiceError {
  return new ServiceError('Unauthorized', 'The name or the password is wrong.', {
    headers: { 'www-authenticate': 'Session' },
    recovery: 'Try again, or ask an admin for an invitation to a new account.',
  });
}

/** Creates the account at the first sign-in. */
export function signInByOpenId(
  deps: SessionDeps,
  client: AnonymousActor,
  { user, issuer }: { user: OpenIdUser; issuer: string },
): Promise<Session> {
  const { id: userId, name, email } = user;
  const enrol = async (tx: Tx) => {
    if (await ensureAccount(tx, userId)) await updateAccount(tx, userId, { name, email });
  };
  return begin(deps, { client, userId, way: issuer, enrol });
}

function begin(
  { management }: SessionDeps,
  {
    client,
    userId,
    way,
    enrol,
  }: { client: AnonymousActor; userId: string; way: string; enrol: (tx: Tx) => Promise<void> },
): Promise<Session> {
  const actor = { ...client, userId, isNew: false };
  return change({ deps: management, actor }, async (tx) => {
    await enrol(tx);
    // Anybody can create an account at a public OpenID provider, so these sign-ins do not make a network known.
    if (way === BY_PASSWORD) await rememberNetwork(tx, client, userId);
    const answer = await startSession(tx, userId, way);
    return { answer, action: 'session.begin', target: userId, orgId: null, details: { way } };
  });
}
