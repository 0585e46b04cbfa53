import type { Queryable, Tx } from '../../platform/db/database.js';
import { networkOf } from '../../platform/net/client-address.js';
import type { Actor } from '../deps.js';
import { readNetworkAccount, storeSignInNetwork } from './sign-in-networks.sql.js';

/**
 * The queue of a password hash, and its turn there. Accounts with an earlier sign-in wait in one queue. All other
 * networks wait in the second queue.
 */
export type PasswordTurn = { account: string } | { network: string };

type Client = Pick<Actor, 'address'>;

/**
 * Finds the turn of a client. The turn depends only on the client's network. It does not depend on the name in the
 * request, because otherwise the waiting time would show whether the account exists.
 */
export async function findPasswordTurn(db: Queryable, { address }: Client): Promise<PasswordTurn> {
  if (address === null) return { network: '' };
  const network = networkOf(address);
  const account = await readNetworkAccount(db, network);
  return account === undefined ? { network } : { account };
}

/** Stores the network for 30 days. Its password checks then wait in the queue of known accounts. */
export async function rememberNetwork(tx: Tx, { address }: Client, accountId: string): Promise<void> {
  if (address !== null) await storeSignInNetwork(tx, { network: networkOf(address), accountId });
}
