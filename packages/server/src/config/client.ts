import type { Login } from './login.js';

/** The address of a running service, and the keys for it. */
export interface ClientConfig {
  url: string;
  /** The project key for `/v1`. */
  apiKey: string | undefined;
  /** The management secret, and the user that it acts for. */
  managementKey: string | undefined;
  userId: string;
  /** A node of the chain with the anchors. */
  rpcUrl: string | undefined;
  /** Warnings about variables with an old name. */
  warnings: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the configuration, which is valid without problems. A stored login is ignored when a variable sets a key:
 * keys and addresses of the two are never combined.
 */
export function toClientConfig(
  environment: Environment,
  login: Login | undefined,
): { config: ClientConfig; problems: string[] } {
  const {
    COLOPHON_API_KEY: apiKey,
    COLOPHON_KEY: oldApiKey,
    MANAGEMENT_API_KEY: managementKey,
  } = environment;
  const kept = apiKey || oldApiKey || managementKey ? undefined : login;
  const url = (environment.COLOPHON_URL || kept?.url || 'http://localhost:3001').replace(/\/+$/, '');
  const problems = isPlainAddress(url)
    ? []
    : [
        'COLOPHON_URL must be an http or https address without user, password and query, e.g. http://localhost:3001',
      ];
  for (const name of ['COLOPHON_API_KEY', 'COLOPHON_KEY', 'MANAGEMENT_API_KEY', 'COLOPHON_USER'])
    if (/[^\x21-\x7e]/.test(environment[name] ?? ''))
      problems.push(`${name} must be visible ASCII characters without blanks`);
  const config = {
    url,
    apiKey: apiKey || oldApiKey || (kept?.url === url ? kept.apiKey : undefined),
    managementKey: managementKey || undefined,
    userId: environment.COLOPHON_USER || 'operator',
    rpcUrl: environment.BLOCKCHAIN_RPC_URL || undefined,
    warnings: !apiKey && oldApiKey ? ['COLOPHON_KEY is an old name: set COLOPHON_API_KEY instead'] : [],
  };
  return { config, problems };
}

function isPlainAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password + search + hash === '';
}
