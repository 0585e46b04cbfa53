import type { WebhookDelivery, WebhookMissed } from '@colophon/model';
import type { StaticPrincipals } from '../access/authenticate.js';
import type { ChangedProjects } from '../control/changes.sql.js';
import type { Sealer } from '../control/seal-secret.js';
import type { Database } from '../platform/db/database.js';
import type { GroupedLimit } from '../platform/work/limit-concurrency.js';
import type { ProjectTotals } from './project-totals.js';

/** Limits on what tenants create. Each field has the name of its environment variable. */
export interface TenantLimits {
  /** Live organisations that one user created, and organisations that the user creates in 24 hours. */
  MAX_USER_ORGS: number;
  /** Live projects of one organisation, and projects that the organisation creates in 24 hours. */
  MAX_ORG_PROJECTS: number;
  /** Members of one organisation. */
  MAX_ORG_MEMBERS: number;
  /** Open invitations of one organisation. */
  MAX_ORG_INVITATIONS: number;
  /** Live publications of one project. */
  MAX_PROJECT_PUBLICATIONS: number;
}

export interface ManagementDeps {
  control: Database;
  staticPrincipals: StaticPrincipals;
  /** Clears cache entries, so that this node sees a change at once. Other nodes see it within a second. */
  forgetRemembered(projectIds: ChangedProjects): void;
  /** Limits concurrent changes. Otherwise, changes that wait for a lock could hold all database connections. */
  limitConcurrency: GroupedLimit;
  /** Limits concurrent lists of each user, or of each owner of projects for lists of publications. */
  limitLists: GroupedLimit;
  /** Limits concurrent reports of usage of each owner of projects. */
  limitReports: GroupedLimit;
  /** Encrypts stored secrets; undefined without SECRETS_KEY. */
  sealer: Sealer | undefined;
  /** Whether a project's settings may contain this address. */
  mayReach(url: string): boolean;
  /** Whether the service's configuration has a pinning service. */
  pinsByDefault: boolean;
  webhooks: WebhookControl;
  totals: ProjectTotals;
  limits: TenantLimits;
  publicUrl: string | undefined;
}

/** The control plane calls these operations without importing the folder `webhooks`. */
export interface WebhookControl {
  startFeed(projectId: string): Promise<void>;
  /** Logs a failure. The feeds can be in another database, so this is not part of the transaction. */
  endFeeds(projectIds: readonly string[]): Promise<void>;
  /** The map keys are ids of webhooks. */
  readMissed(projectId: string): Promise<ReadonlyMap<string, WebhookMissed>>;
  listDeliveries(projectId: string, webhookId: string): Promise<WebhookDelivery[]>;
  /** Whether the pending deliveries of the webhook have reached their limit in number or bytes. */
  hasFullBacklog(projectId: string, webhookId: string): Promise<boolean>;
  /** Sends a test event, once per `messageId`. Also deletes some old deliveries. */
  ping(projectId: string, ids: { webhookId: string; messageId: string }): Promise<void>;
  /** Whether webhook requests may go to this address. */
  mayPost(url: string): boolean;
}

export interface Actor {
  userId: string;
  /** Network address; null when the request did not come over the network. */
  address: string | null;
  requestId: string | null;
  /** Whether this is the user's first call. */
  isNew: boolean;
  /** When it aborts, work that still waits does not begin. */
  signal?: AbortSignal | undefined;
}
