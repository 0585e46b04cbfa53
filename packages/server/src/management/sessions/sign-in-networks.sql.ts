import type { Queryable, Tx } from '../../platform/db/database.js';

/** A network is known for this time after its stored sign-in. */
const LIFE_DAYS = 30;
/** Maximum number of expired networks that one sign-in deletes, so that no user waits for a large clean-up. */
const MAX_DELETED = 200;

/** Returns the account that came first, of those with a sign-in in the last 30 days. */
export async function readNetworkAccount(db: Queryable, network: string): Promise<string | undefined> {
  const [row] = await db.query<{ accountId: string }>(
    `select account_id as "accountId" from control.sign_in_network
     where network = $1 and at > now() - make_interval(days => $2)
     order by first_at, account_id limit 1`,
    [network, LIFE_DAYS],
  );
  return row?.accountId;
}

/** Does nothing if a sign-in of the last day is stored, so most sign-ins neither lock a row nor wait for one. */
export async function storeSignInNetwork(
  tx: Tx,
  { network, accountId }: { network: string; accountId: string },
): Promise<void> {
  await tx.query(
    `insert into control.sign_in_network as stored (network, account_id)
     select $1::text, $2::text where not exists (
       select 1 from control.sign_in_network
       where network = $1 and account_id = $2 and at > now() - interval '1 day')
     on conflict (network, account_id) do update set at = now(), first_at =
       case when stored.at > now() - make_interval(days => $3) then stored.first_at else now() end`,
    [network, accountId, LIFE_DAYS],
  );
}

/** Call it after `storeSignInNetwork`. In another order, two sign-ins could wait for each other. */
export async function deleteExpiredNetworks(tx: Tx): Promise<void> {
  await tx.query(
    `delete from control.sign_in_network where ctid = any(array(
       select ctid from control.sign_in_network where at < now() - make_interval(days => $1)
       order by at limit $2 for update skip locked))`,
    [LIFE_DAYS, MAX_DELETED],
  );
}
