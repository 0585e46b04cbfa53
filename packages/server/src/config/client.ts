import type { Login } from './login.js';

export interface ClientConfig {
  url: string;
  /** Key of a project, for `/v1`. */
  apiKey: string | undefined;
  /** Management secret, and the user on whose behalf it acts. */
  managementKey: string | undefined;
  userId: string;
  /** Node of the chain that contains the anchors. */
  rpcUrl: string | undefined;
  /** Secret that signs the webhook of `colophon log watch`. */
  webhookSecret: string | undefined;
  /** Warnings about variables with an old name. */
  warnings: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** `config` is valid only when `problems` is empty. Sends the stored key only to the stored address. */
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
    ...toOptional(environment),
    warnings: !apiKey && oldApiKey ? ['COLOPHON_KEY is an old name: set COLOPHON_API_KEY instead'] : [],
  };
  return { config, problems };
}

function toOptional({ BLOCKCHAIN_RPC_URL: rpcUrl, COLOPHON_WEBHOOK_SECRET: webhookSecret }: Environment) {
  return { rpcUrl: rpcUrl || undefined, webhookSecret: webhookSecret || undefined };
}

function isPlainAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password + search + hash === '';
}
