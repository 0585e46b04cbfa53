import type { Queryable, Tx } from '../../platform/db/database.js';

/** The service deletes a network this long after the newest sign-in from it. */
const LIFE_DAYS = 30;
/** Maximum number of expired networks that one sign-in deletes. So no user waits for a large clean-up. */
const MAX_DELETED = 200;

/**
 * Returns an account with a password that signed in from this network: the first one since the network was stored.
 * Undefined if nobody signed in from the network during the last 30 days.
 */
export async function readNetworkAccount(db: Queryable, network: string): Promise<string | undefined> {
  const [row] = await db.query<{ accountId: string }>(
    `select account_id as "accountId" from control.sign_in_network
     where network = $1 and at > now() - make_interval(days => $2)`,
    [network, LIFE_DAYS],
  );
  return row?.accountId;
}

/**
 * Stores a sign-in with a password from this network. A network keeps its account until it expires. So a second user of
 * the network cannot move it to the turns of another account. Also deletes up to `MAX_DELETED` expired networks.
 */
export async function storeSignInNetwork(
  tx: Tx,
  { network, accountId }: { network: string; accountId: string },
): Promise<void> {
  await tx.query(
    `insert into control.sign_in_network as stored (network, account_id) values ($1, $2)
     on conflict (network) do update set at = now(), account_id =
       case when stored.at > now() - make_interval(days => $3) then stored.account_id else excluded.account_id end`,
    [network, accountId, LIFE_DAYS],
  );
  // Deletes after the insert, and skips locked rows. In another order, two sign-ins could wait for each other.
  await tx.query(
    `delete from control.sign_in_network where network = any(array(
       select network from control.sign_in_network where at < now() - make_interval(days => $1)
       order by at limit $2 for update skip locked))`,
    [LIFE_DAYS, MAX_DELETED],
  );
}
