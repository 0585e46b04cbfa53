import type { Sealer } from '../control/seal-secret.js';
import type { Database } from '../platform/db/database.js';
import type { GuardedFetch } from '../platform/net/guarded-fetch.js';
import type { ProjectRests } from '../platform/work/project-rests.js';
import type { BacklogLimits } from './queue-messages.js';

export interface WebhookDeps {
  control: Database;
  provenance: Database;
  /** Encrypts the secrets of webhooks. Without it, the service sends no events. */
  sealer: Sealer | undefined;
  /** Sends requests to addresses from project settings. It blocks internal addresses. */
  fetch: GuardedFetch['fetch'];
  backlogLimits: BacklogLimits;
  /** The feed and the deliveries of a project share its rests. */
  rests: ProjectRests;
}
