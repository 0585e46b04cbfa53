import type { OpenIdConfig } from '../access/openid.js';
import type { Variables } from './variables.js';

export interface SignInConfig {
  localAccounts: boolean;
  /** Maximum number of waiting password checks in each of the two queues (known accounts, and new networks). */
  maxWaiting: number;
  /** Undefined when no provider is configured. */
  openId: OpenIdConfig | undefined;
}

const OPENID = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Returns a sentence for each OpenID variable that is missing, is unsafe, or needs another variable. */
export function findSignInContradictions(given: Variables): string[] {
  const [present] = OPENID.filter((name) => given[name] !== undefined);
  if (present === undefined) return [];
  const problems = OPENID.filter((name) => given[name] === undefined).map(
    (name) => `${present} is set, so ${name} must be set too`,
  );
  if (given.OIDC_ISSUER !== undefined && !isConfidential(given.OIDC_ISSUER))
    problems.push('OIDC_ISSUER must be an https address, unless it is on this machine');
  if (given.NODE_ENV === 'production' && given.PUBLIC_URL === undefined)
    problems.push(
      'OIDC_ISSUER needs PUBLIC_URL in production, because the provider sends users back to this address',
    );
  return problems;
}

function isConfidential(issuer: string): boolean {
  const { protocol, hostname } = new URL(issuer);
  return protocol === 'https:' || LOOPBACK.includes(hostname);
}

export function toSignIn(read: Variables): SignInConfig {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = read;
  const base = (read.PUBLIC_URL ?? `http://localhost:${read.PORT}`).replace(/\/+$/, '');
  return {
    localAccounts: read.LOCAL_ACCOUNTS ?? read.NODE_ENV !== 'production',
    maxWaiting: read.SIGN_IN_MAX_WAITING,
    openId:
      issuer === undefined || clientId === undefined || clientSecret === undefined
        ? undefined
        : { issuer, clientId, clientSecret, redirectUri: `${base}/app/api/openid/callback` },
  };
}
