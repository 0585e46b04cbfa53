import type { Queryable, Tx } from '../../platform/db/database.js';
import { networkOf } from '../../platform/net/client-address.js';
import type { Actor } from '../deps.js';
import { readNetworkAccount, storeSignInNetwork } from './sign-in-networks.sql.js';

/** Accounts with an earlier sign-in wait in one queue, and all other networks in a second one. */
export type PasswordTurn = { account: string } | { network: string };

type Client = Pick<Actor, 'address'>;

/** The turn depends only on the network. With the name, the waiting time would show whether the account exists. */
export async function findPasswordTurn(db: Queryable, { address }: Client): Promise<PasswordTurn> {
  if (address === null) return { network: '' };
  const network = networkOf(address);
  const account = await readNetworkAccount(db, network);
  return account === undefined ? { network } : { account };
}

/** For 30 days, password checks from this network wait in the queue of known accounts. */
export async function rememberNetwork(tx: Tx, { address }: Client, accountId: string): Promise<void> {
  if (address !== null) await storeSignInNetwork(tx, { network: networkOf(address), accountId });
}
