import type { WebhookDelivery } from '@colophon/model';
import type { StaticPrincipals } from '../access/authenticate.js';
import type { Sealer } from '../control/seal-secret.js';
import type { Database } from '../platform/db/database.js';
import type { LimitConcurrency } from './limit-concurrency.js';
import type { ProjectTotals } from './project-totals.js';

/** Dependencies of the use cases of the control plane. */
export interface ManagementDeps {
  control: Database;
  /** Principals of the keys in the configuration. */
  staticPrincipals: StaticPrincipals;
  /** Clears this node's caches, so that it sees a change immediately. Other nodes see it within a second. */
  forgetRemembered(): void;
  /** Limits concurrent changes: a waiting change keeps its database connection, and others need connections too. */
  limitConcurrency: LimitConcurrency;
  /** Encrypts stored secrets; undefined without SECRETS_KEY. */
  sealer: Sealer | undefined;
  /** Whether a project's settings may contain this address. */
  mayReach(url: string): boolean;
  /** Whether the configuration has a pinning service. */
  pinsByDefault: boolean;
  webhooks: WebhookControl;
  totals: ProjectTotals;
  /** The public address of this service. */
  publicUrl: string | undefined;
}

/** The functions of webhooks that the control plane uses. It does not know the events. */
export interface WebhookControl {
  /** Starts to send future events of the project. */
  startFeed(projectId: string): Promise<void>;
  /** Lists the newest deliveries to a webhook. */
  listDeliveries(projectId: string, webhookId: string): Promise<WebhookDelivery[]>;
  /** Sends a test event; once per id. */
  ping(projectId: string, ids: { webhookId: string; messageId: string }): Promise<void>;
  /** Whether webhook requests may go to this address. */
  mayPost(url: string): boolean;
}

/** The user of a request, and its address. */
export interface Actor {
  userId: string;
  /** Network address; null when the request did not come over the network. */
  address: string | null;
  requestId: string | null;
  /** Whether this is the user's first call. */
  isNew: boolean;
}
