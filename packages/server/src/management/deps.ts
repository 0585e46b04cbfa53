import type { WebhookDelivery, WebhookMissed } from '@colophon/model';
import type { StaticPrincipals } from '../access/authenticate.js';
import type { ChangedProjects } from '../control/changes.sql.js';
import type { Sealer } from '../control/seal-secret.js';
import type { Database } from '../platform/db/database.js';
import type { GroupedLimit } from '../platform/work/limit-concurrency.js';
import type { ProjectTotals } from './project-totals.js';

/** Limits on what tenants create. Each field has the name of its environment variable. */
export interface TenantLimits {
  /** Live organisations that one user created. Also limits the organisations that the user creates in 24 hours. */
  MAX_USER_ORGS: number;
  /** Live projects of one organisation. Also limits the projects that the organisation creates in 24 hours. */
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
  /**
   * Clears the cache entries of changed projects on this node, so that this node sees a change at once. Other nodes see
   * the change within a second.
   */
  forgetRemembered(projectIds: ChangedProjects): void;
  /**
   * Limits the concurrent changes of all groups together, and of each group. A group is the owner of a turn (`TurnOf`),
   * such as the owner of an organisation. Without this limit, changes that wait for a lock could hold all database
   * connections.
   */
  limitConcurrency: GroupedLimit;
  /**
   * Limits how many lists of organisations, projects, members and so on the service reads at a time for each user
   * (`turnOfUser`). Lists of publications count for the owner of their project instead.
   */
  limitLists: GroupedLimit;
  /** Limits how many reports of usage the service reads at a time for each owner of projects (`turnOfProject`). */
  limitReports: GroupedLimit;
  /** Encrypts stored secrets; undefined without SECRETS_KEY. */
  sealer: Sealer | undefined;
  /** Whether a project's settings may contain this address. */
  mayReach(url: string): boolean;
  /** Whether the configuration of the service has a pinning service. */
  pinsByDefault: boolean;
  webhooks: WebhookControl;
  totals: ProjectTotals;
  limits: TenantLimits;
  publicUrl: string | undefined;
}

/** The operations of the folder `webhooks` that the control plane calls without importing this folder. */
export interface WebhookControl {
  startFeed(projectId: string): Promise<void>;
  /**
   * Deletes the feeds of deleted projects. Logs a failure. The feeds can be in another database, so this is not part of
   * the transaction that deletes the projects.
   */
  endFeeds(projectIds: readonly string[]): Promise<void>;
  /** Returns the events that webhooks of the project missed, by the id of the webhook. */
  readMissed(projectId: string): Promise<ReadonlyMap<string, WebhookMissed>>;
  listDeliveries(projectId: string, webhookId: string): Promise<WebhookDelivery[]>;
  /** Whether the pending deliveries of the webhook have reached their limit in number or bytes. */
  hasFullBacklog(projectId: string, webhookId: string): Promise<boolean>;
  /** Sends a test event, once per `messageId`, and deletes some old deliveries of the project. */
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
  /** Aborts when the caller disconnects. A list, a report or a change that is still waiting does not begin. */
  signal?: AbortSignal | undefined;
}
