import type { Sealer } from '../control/seal-secret.js';
import type { Database } from '../platform/db/database.js';
import type { GuardedFetch } from '../platform/net/guarded-fetch.js';

/** Dependencies of sending events. */
export interface WebhookDeps {
  control: Database;
  provenance: Database;
  /** Opens the webhooks' secrets. Without it nothing is sent. */
  sealer: Sealer | undefined;
  /** Sends requests to the addresses that projects name. */
  fetch: GuardedFetch['fetch'];
}
