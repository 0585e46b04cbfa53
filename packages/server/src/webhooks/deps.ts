import type { Sealer } from '../control/seal-secret.js';
import type { Database } from '../platform/db/database.js';
import type { GuardedFetch } from '../platform/net/guarded-fetch.js';

/** Dependencies of sending events. */
export interface WebhookDeps {
  control: Database;
  provenance: Database;
  /** Opens secrets; undefined where no key for it is set: then nothing is sent. */
  sealer: Sealer | undefined;
  /** Reaches the addresses that projects name. */
  fetch: GuardedFetch['fetch'];
}
