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
  /** Changes keep their connection while they wait for each other. A limit leaves connections for others. */
  limitConcurrency: LimitConcurrency;
  /** Seals secret settings; undefined where no key for it is set. */
  sealer: Sealer | undefined;
  /** Whether projects may name this address. */
  mayReach(url: string): boolean;
  /** The configuration names a service to pin on. */
  pinsByDefault: boolean;
  webhooks: WebhookControl;
  totals: ProjectTotals;
  /** Where this service is reached from outside. */
  publicUrl: string | undefined;
}

/** The functions of webhooks that the control plane uses. It does not know the events. */
export interface WebhookControl {
  /** Starts to send events of the project, from now on. */
  startFeed(projectId: string): Promise<void>;
  /** The newest messages to a webhook. */
  listDeliveries(projectId: string, webhookId: string): Promise<WebhookDelivery[]>;
  /** Sends a message without news; once for each id. */
  ping(projectId: string, ids: { webhookId: string; messageId: string }): Promise<void>;
  /** Whether messages may be posted to this address. */
  mayPost(url: string): boolean;
}

/** The user who makes a request, and the address it comes from. */
export interface Actor {
  userId: string;
  /** Network address; null when nobody asked over the network. */
  address: string | null;
  requestId: string | null;
  /** This is the user's first call. */
  isNew: boolean;
}
