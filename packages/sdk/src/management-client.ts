import { type Account, createAccount } from './management/account.js';
import { type ApiKeys, createApiKeys } from './management/api-keys.js';
import { createOrgs, type Orgs } from './management/orgs.js';
import { createProjects, type Projects } from './management/projects.js';
import { createWebhooks, type Webhooks } from './management/webhooks.js';
import { requireAddress } from './transport/address.js';
import { createTransport, type TransportOptions } from './transport/transport.js';

/** The address of the control plane and the credentials of the caller. */
export interface ManagementClientOptions extends TransportOptions {
  /** The management secret. Use it only on servers, never in a page. */
  managementKey?: string | undefined;
  /** The id of the user for whom the caller acts. */
  userId?: string | undefined;
  /** Path of the control plane below `url`; default: `/management`. */
  basePath?: string | undefined;
}

/** The control plane: organisations, projects, API keys, webhooks and the account of the user. */
export interface ManagementClient {
  readonly orgs: Orgs;
  readonly projects: Projects;
  readonly apiKeys: ApiKeys;
  readonly webhooks: Webhooks;
  readonly account: Account;
}

/**
 * Creates a client of the control plane. It authenticates with the management secret, and acts for the user `userId`. A
 * web page authenticates with a session instead of the secret, so the page sets another `basePath`, `credentials` and
 * `headers`. The client repeats failed attempts like a client of `createClient`.
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
