import { type Account, createAccount } from './management/account.js';
import { type ApiKeys, createApiKeys } from './management/api-keys.js';
import { createOrgs, type Orgs } from './management/orgs.js';
import { createProjects, type Projects } from './management/projects.js';
import { createWebhooks, type Webhooks } from './management/webhooks.js';
import { requireAddress } from './transport/address.js';
import { createTransport, type TransportOptions } from './transport/transport.js';

/** Where the control plane is, and who asks. */
export interface ManagementClientOptions extends TransportOptions {
  /** The management secret: for servers alone, never for a page. */
  managementKey?: string | undefined;
  /** The user in whose name the secret's holder asks. */
  userId?: string | undefined;
  /** Where under `url` the control plane is; `/management` unless given. */
  basePath?: string | undefined;
}

/** The control plane: organisations, projects and keys. */
export interface ManagementClient {
  readonly orgs: Orgs;
  readonly projects: Projects;
  readonly apiKeys: ApiKeys;
  readonly webhooks: Webhooks;
  readonly account: Account;
}

/**
 * A client of the control plane, by the management secret and in a user's name. A page has its session instead: another
 * `basePath`, with `credentials` and `headers`. See `createClient` for repetitions.
 *
 * @example
 * const control = createManagementClient({ url, managementKey, userId: 'ann' });
 * (await control.account.get()).id; // => 'ann'
 */
export function createManagementClient({
  managementKey,
  userId,
  basePath = '/management',
  url,
  ...options
}: ManagementClientOptions): ManagementClient {
  const authorization = {
    ...(managementKey === undefined ? {} : { authorization: `Bearer ${managementKey}` }),
    ...(userId === undefined ? {} : { 'x-user-id': userId }),
  };
  const transport = createTransport({
    ...options,
    url: `${requireAddress(url)}${basePath}`,
    authorization,
  });
  return {
    orgs: createOrgs(transport),
    projects: createProjects(transport),
    apiKeys: createApiKeys(transport),
    webhooks: createWebhooks(transport),
    account: createAccount(transport),
  };
}
