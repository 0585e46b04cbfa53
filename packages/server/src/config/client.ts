import type { Login } from './login.js';

/** Where the command line finds a running service, and how it signs in. */
export interface ClientConfig {
  url: string;
  /** Project key, for what `/v1` answers. */
  apiKey: string | undefined;
  /** Management secret, and in whose name it is used. */
  managementKey: string | undefined;
  userId: string;
  /** A node of the chain that was anchored on. */
  rpcUrl: string | undefined;
  /** Variables that are read under an old name. */
  warnings: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Where a running service is; usable where there are no problems. Variables win over the login. Its key is sent to its
 * own address alone.
 */
export function toClientConfig(
  environment: Environment,
  login: Login | undefined,
): { config: ClientConfig; problems: string[] } {
  const { COLOPHON_API_KEY: apiKey, COLOPHON_KEY: oldApiKey } = environment;
  const url = (environment.COLOPHON_URL || login?.url || 'http://localhost:3001').replace(/\/+$/, '');
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
    apiKey: apiKey || oldApiKey || (login?.url === url ? login.apiKey : undefined),
    managementKey: environment.MANAGEMENT_API_KEY || undefined,
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
