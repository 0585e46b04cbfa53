import type { Sealer } from '../access/seal-secret.js';
import type { Database } from '../db/database.js';
import type { GuardedFetch } from '../net/guarded-fetch.js';

/** What telling and delivering work with. */
export interface WebhookDeps {
  control: Database;
  provenance: Database;
  /** Opens secrets; undefined where no key for it is set: then nothing is sent. */
  sealer: Sealer | undefined;
  /** Reaches the addresses that projects name. */
  fetch: GuardedFetch['fetch'];
}
