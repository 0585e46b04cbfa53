import type { ActivityRequest } from '@colophon/model';
import type {
  Account,
  Actions,
  ApiKeys,
  Attributions,
  Client,
  Compliance,
  Distributions,
  Entities,
  Histories,
  Labels,
  Log,
  Media,
  Orgs,
  Ownerships,
  PageClient,
  Projects,
  Publications,
  Published,
  PublishedProofOptions,
  Receipts,
  Resources,
  Search,
  Service,
  SoftBindings,
  Webhooks,
} from '../../src/index.js';

type KeysOf<Asked> = [Asked] extends [never] ? never : keyof NonNullable<Asked>;

interface Typed<Method extends (...args: never) => Promise<unknown>, Sent = never, Asked = never> {
  sent: Sent;
  asked: KeysOf<Asked>;
  answered: Awaited<ReturnType<Method>>;
}
type Argument<Method extends (...args: never) => unknown, Index extends number> = Parameters<Method>[Index];
interface Bytes<Asked = never> {
  sent: never;
  asked: KeysOf<Asked>;
  answered: never;
}

type Pick0<Method extends (...args: never) => Promise<unknown>> = Typed<Method, Argument<Method, 0>>;
type Pick1<Method extends (...args: never) => Promise<unknown>> = Typed<Method, Argument<Method, 1>>;

export interface SdkOperations {
  getHealth: Typed<Service['health']>;
  getLiveness: Typed<Service['liveness']>;
  getReadiness: Typed<Service['readiness']>;
  createEntity: Pick0<Entities['create']>;
  getEntity: Typed<Entities['get']>;
  updateEntity: Pick1<Entities['update']>;
  erasePersonalData: Typed<Entities['erasePersonalData']>;
  listEntities: Typed<Entities['list'], never, Argument<Entities['list'], 0>>;
  recordAction: Pick0<Actions['record']>;
  recordBatch: Pick0<Client['batch']>;
  getAction: Typed<Actions['get']>;
  listActions: Typed<Actions['list'], never, Argument<Actions['list'], 0>>;
  recordActivity: Typed<Client['file'], ActivityRequest>;
  createAttribution: Pick0<Attributions['create']>;
  listAttributions: Typed<Attributions['list'], never, Argument<Attributions['list'], 0>>;
  listResources: Typed<Resources['list'], never, Argument<Resources['list'], 0>>;
  getBundle: Typed<
    Histories['bundle'],
    never,
    NonNullable<Argument<Histories['bundle'], 1>> & Argument<Histories['export'], 1>
  >;
  getGraph: Typed<Histories['graph'], never, Argument<Histories['graph'], 1>>;
  getSession: Typed<Histories['session']>;
  getDistribution: Typed<Distributions['get'], never, Argument<Distributions['get'], 1>>;
  previewDistribution: Pick0<Distributions['preview']>;
  getOwnership: Typed<Ownerships['get']>;
  claimOwnership: Pick1<Ownerships['claim']>;
  transferOwnership: Pick1<Ownerships['transfer']>;
  getResource: Typed<Resources['get']>;
  updateResource: Pick1<Resources['update']>;
  listTitles: Typed<
    (json: { cids: string[] }) => Promise<{ titles: Record<string, string> }>,
    { cids: string[] }
  >;
  getContent: Bytes<{ format?: unknown }>;
  getThumbnail: Bytes;
  searchFile: Typed<Search['file'], never, Argument<Search['file'], 1>>;
  searchText: Pick0<Search['text']>;
  searchIscc: Typed<Search['iscc'], never, Argument<Search['iscc'], 0>>;
  getIscc: Typed<Search['isccOf']>;
  giveVector: Pick1<Search['giveVector']>;
  searchVector: Pick0<Search['vector']>;
  listSimilar: Typed<Search['similar'], never, Argument<Search['similar'], 1>>;
  queryByBinding: Typed<
    SoftBindings['find'],
    never,
    Argument<SoftBindings['find'], 0> & NonNullable<Argument<SoftBindings['find'], 1>>
  >;
  queryByLargeBinding: Typed<
    SoftBindings['findLarge'],
    Argument<SoftBindings['findLarge'], 0>,
    Argument<SoftBindings['findLarge'], 1>
  >;
  queryByContent: Typed<
    SoftBindings['findByContent'],
    never,
    Omit<Argument<SoftBindings['findByContent'], 1>, 'type'>
  >;
  getManifestById: Bytes<Argument<SoftBindings['manifest'], 1>>;
  getSupportedBindings: Typed<SoftBindings['algorithms']>;
  queryPubliclyByBinding: Typed<
    SoftBindings['find'],
    never,
    Argument<SoftBindings['find'], 0> & NonNullable<Argument<SoftBindings['find'], 1>>
  >;
  queryPubliclyByLargeBinding: Typed<
    SoftBindings['findLarge'],
    Argument<SoftBindings['findLarge'], 0>,
    Argument<SoftBindings['findLarge'], 1>
  >;
  queryPubliclyByContent: Typed<
    SoftBindings['findByContent'],
    never,
    Omit<Argument<SoftBindings['findByContent'], 1>, 'type'>
  >;
  getPublicManifestById: Bytes<Argument<SoftBindings['manifest'], 1>>;
  getPublicSupportedBindings: Typed<SoftBindings['algorithms']>;
  listMediaFormats: Typed<Media['formats']>;
  extractCredentials: Typed<Media['extract']>;
  verifyCredentials: Typed<Media['verify']>;
  importCredentials: Typed<Media['import']>;
  embedCredentials: Pick1<Media['embed']>;
  getLog: Typed<Log['get']>;
  getComplianceReport: Typed<Compliance['report'], never, Argument<Compliance['report'], 0>>;
  listMarkedContents: Typed<Compliance['marks'], never, Argument<Compliance['marks'], 0>>;
  markContent: Pick1<Client['mark']>;
  detectMarks: Typed<Client['detect']>;
  listLabels: Typed<Labels['list'], never, { language: unknown }>;
  getLabelIcon: Bytes<{ language: unknown }>;
  getPublicCheckpoint: Bytes;
  getPublicTile: Bytes;
  getPublicPartialTile: Bytes;
  getLogKeys: Typed<Log['keys']>;
  getCheckpoint: Bytes;
  proveInclusion: Typed<Log['inclusion'], never, { leafIndex: 0; recordId: 0; size: 0 }>;
  proveConsistency: Typed<Log['consistency'], never, Argument<Log['consistency'], 0>>;
  getTile: Bytes;
  getPartialTile: Bytes;
  getActionReceipt: Typed<Receipts['get']>;
  getEntityReceipt: Typed<Receipts['get']>;
  getAttributionReceipt: Typed<Receipts['get']>;
  getActionTimestamp: Typed<Receipts['timestamp']>;
  getEntityTimestamp: Typed<Receipts['timestamp']>;
  getAttributionTimestamp: Typed<Receipts['timestamp']>;
  publish: Pick0<Publications['create']>;
  listPublications: Typed<Publications['list'], never, Argument<Publications['list'], 0>>;
  restorePublication: Typed<Publications['restore']>;
  revokePublication: Typed<Publications['revoke']>;
  getDetector: Typed<Published['detector']>;
  checkPublicly: Typed<Published['check'], never, { cid: 0 }>;
  getPublishedHistory: Typed<Published['history']>;
  getPublicationSummary: Typed<Published['summary']>;
  getPublicationProof: Typed<Published['proof'], never, Pick<PublishedProofOptions, 'proofVersion'>>;
  getOwnUser: Typed<Account['get']>;
  updateOwnUser: Pick0<Account['update']>;
  getNetwork: Typed<Account['network']>;
  listOrgs: Typed<Orgs['list']>;
  createOrg: Pick0<Orgs['create']>;
  getOrg: Typed<Orgs['get']>;
  updateOrg: Pick1<Orgs['update']>;
  deleteOrg: Typed<Orgs['delete']>;
  listAuditEntries: Typed<Orgs['audit'], never, Argument<Orgs['audit'], 1>>;
  listMembers: Typed<Orgs['members']>;
  addMember: Pick1<Orgs['addMember']>;
  changeMember: Typed<Orgs['changeMember'], Argument<Orgs['changeMember'], 2>>;
  removeMember: Typed<Orgs['removeMember']>;
  listInvitations: Typed<Orgs['invitations']>;
  inviteMember: Pick1<Orgs['invite']>;
  withdrawInvitation: Typed<Orgs['withdrawInvitation']>;
  getPageSession: Typed<PageClient['session']>;
  signIn: Pick0<PageClient['signIn']>;
  signUp: Pick0<PageClient['signUp']>;
  signOut: Typed<PageClient['signOut']>;
  changePassword: Pick0<PageClient['changePassword']>;
  checkInvitation: Typed<PageClient['checkInvitation'], { invitation: string }>;
  joinOrg: Typed<PageClient['join'], { invitation: string }>;
  /** Returns a project for an id, and a list for a slug. */
  getProjectOrListProjects: {
    sent: never;
    asked: never;
    answered: Awaited<ReturnType<Projects['get']> | ReturnType<Projects['list']>>;
  };
  updateProject: Pick1<Projects['update']>;
  deleteProject: Typed<Projects['delete']>;
  listProjects: Typed<Projects['list']>;
  createProject: Pick0<Projects['create']>;
  listApiKeys: Typed<ApiKeys['list']>;
  createApiKey: Pick0<ApiKeys['create']>;
  revokeApiKey: Typed<ApiKeys['revoke']>;
  rotateApiKey: Pick1<ApiKeys['rotate']>;
  validateKey: Typed<ApiKeys['validate'], { key: string }>;
  listWebhooks: Typed<Webhooks['list']>;
  createWebhook: Pick1<Webhooks['create']>;
  updateWebhook: Typed<Webhooks['update'], Argument<Webhooks['update'], 2>>;
  rotateWebhookSecret: Typed<Webhooks['rotate'], Argument<Webhooks['rotate'], 2>>;
  pingWebhook: Typed<Webhooks['ping'], Record<string, unknown>>;
  listWebhookDeliveries: Typed<Webhooks['deliveries']>;
  deleteWebhook: Typed<Webhooks['delete']>;
  getUsage: Typed<Projects['usage']>;
  getRequestLog: Typed<Projects['requestLog'], never, Argument<Projects['requestLog'], 1>>;
}
