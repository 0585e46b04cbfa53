import { type JsonObject, PAYMENT_EXTENSION, paymentExtensionSchema } from '@colophon/model';
import type { Database } from '../db/database.js';
import { ServiceError } from '../errors.js';
import { readWallets } from './records.sql.js';

const MAX_DETAILS = 50;

/** The extensions of an action that is to be recorded, and where they stand in the request. */
interface Paid {
  extensions: Readonly<Record<string, JsonObject>>;
  place: string;
  /** An entity that the same request makes, where it has a wallet. */
  alsoPayable?: string | undefined;
}

/**
 * Throws `ValidationError` when an action names recipients of a payment that do not exist in the project or have no
 * wallet, with one detail each. A wallet, once given, stays, so that nothing changes between this and the recording.
 */
export async function requirePayable(
  db: Database,
  projectId: string,
  { extensions, place, alsoPayable }: Paid,
): Promise<void> {
  const payment = paymentExtensionSchema.safeParse(extensions[PAYMENT_EXTENSION]).data;
  if (payment === undefined || !('recipients' in payment) || !Array.isArray(payment.recipients)) return;
  const ids = payment.recipients.map(({ entityId }) => entityId);
  const wallets = await readWallets(db, projectId, ids);
  const details = ids.flatMap((id, index) => {
    if (id === alsoPayable || wallets.get(id)) return [];
    const path = `${place}extensions.${PAYMENT_EXTENSION}.recipients.${index}.entityId`;
    const message = wallets.has(id) ? `${id} has no wallet` : `There is no entity ${id} in this project`;
    return [{ path, message }];
  });
  if (details.length === 0) return;
  throw new ServiceError('ValidationError', 'A payment names recipients that cannot be paid.', {
    recovery: 'Create the entities, or give them a wallet, first.',
    details: details.slice(0, MAX_DETAILS),
  });
}
