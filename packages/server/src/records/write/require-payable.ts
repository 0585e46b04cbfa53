import { type JsonObject, PAYMENT_EXTENSION, paymentExtensionSchema } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import type { Database } from '../../platform/db/database.js';
import { readWallets } from '../read/records.sql.js';

const MAX_DETAILS = 50;

interface Paid {
  extensions: Readonly<Record<string, JsonObject>>;
  place: string;
}

/**
 * Only an erasure removes a stored wallet, so the result is nearly always still valid when the action is recorded.
 * `alsoPayable`: entities that the same request creates with a wallet.
 */
export async function requirePayable(
  db: Database,
  projectId: string,
  { paid, alsoPayable = [] }: { paid: readonly Paid[]; alsoPayable?: readonly string[] },
): Promise<void> {
  const named = paid.flatMap(recipientsOf);
  if (named.length === 0) return;
  const ids = [...new Set(named.map(({ id }) => id))];
  const wallets = await readWallets(db, projectId, ids);
  for (const id of alsoPayable) wallets.set(id, true);
  const details = named.flatMap(({ id, path }) => {
    if (wallets.get(id)) return [];
    const message = wallets.has(id) ? `${id} has no wallet` : `There is no entity ${id} in this project`;
    return [{ path, message }];
  });
  if (details.length === 0) return;
  throw new ServiceError('ValidationError', 'A payment names recipients that cannot be paid.', {
    recovery: 'First create the entities, or add a wallet to them.',
    details: details.slice(0, MAX_DETAILS),
  });
}

function recipientsOf({ extensions, place }: Paid): { id: string; path: string }[] {
  const stated = extensions[PAYMENT_EXTENSION];
  if (stated === undefined) return [];
  const payment = paymentExtensionSchema.safeParse(stated).data;
  if (payment === undefined || !('recipients' in payment) || !Array.isArray(payment.recipients)) return [];
  return payment.recipients.map(({ entityId }, index) => ({
    id: entityId,
    path: `${place}extensions.${PAYMENT_EXTENSION}.recipients.${index}.entityId`,
  }));
}
