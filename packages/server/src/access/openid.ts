import { createHash } from 'node:crypto';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { ServiceError } from '../errors.js';

export interface OpenIdConfig {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The URL to which the provider sends users back. */
  redirectUri: string;
}

/** Secrets of one sign-in, which the browser stores while the user is at the provider. */
export interface PendingSignIn {
  state: string;
  nonce: string;
  codeVerifier: string;
}

export interface OpenIdUser {
  id: string;
  name: string | null;
  email: string | null;
}

/** OpenID Connect Core 1.0: the authorization code flow (§3.1) with PKCE (RFC 7636). */
export interface OpenIdProvider {
  issuer: string;
  /** Throws `Unavailable` when the provider's configuration cannot be read. */
  begin(): Promise<{ url: string; pending: PendingSignIn }>;
  /** `query`: from the provider's redirect. Throws `Forbidden` if the sign-in fails, `Unavailable` like `begin`. */
  finish(query: URLSearchParams, pending: PendingSignIn): Promise<OpenIdUser>;
}

const TIMEOUT_SECONDS = 10;

/** After a failure, the next sign-in reads the provider's configuration again. */
export function createOpenIdProvider({
  issuer,
  clientId,
  clientSecret,
  redirectUri,
}: OpenIdConfig): OpenIdProvider {
  let known: Promise<Configuration> | undefined;

  async function discover(): Promise<Configuration> {
    // The service's configuration allows a provider without TLS only on this machine.
    const execute = [
      enableNonRepudiationChecks,
      ...(issuer.startsWith('http:') ? [allowInsecureRequests] : []),
    ];
    try {
      return await discovery(new URL(issuer), clientId, clientSecret, undefined, {
        execute,
        timeout: TIMEOUT_SECONDS,
      });
    } catch (cause) {
      known = undefined;
      throw new ServiceError('Unavailable', 'The OpenID provider does not answer.', {
        recovery: 'Try again later. If sign-in still fails, the operator must check OIDC_ISSUER.',
        cause,
      });
    }
  }
  const configuration = () => {
    known ??= discover();
    return known;
  };

  return {
    issuer,
    async begin() {
      const pending = {
        state: randomState(),
        nonce: randomNonce(),
        codeVerifier: randomPKCECodeVerifier(),
      };
      const url = buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: 'openid profile email',
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await calculatePKCECodeChallenge(pending.codeVerifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, pending };
    },
    async finish(query, { state, nonce, codeVerifier }) {
      const config = await configuration();
      const answer = new URL(redirectUri);
      answer.search = query.toString();
      const checks = {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      };
      try {
        const tokens = await authorizationCodeGrant(config, answer, checks);
        const claims = tokens.claims();
        if (claims === undefined) throw new Error('The provider returned no ID token');
        return toUser(issuer, claims);
      } catch (cause) {
        throw new ServiceError('Forbidden', 'The OpenID provider did not sign the user in.', {
          recovery: 'Sign in again.',
          cause,
        });
      }
    },
  };
}

const MAX_SUBJECT_LENGTH = 200;

/** The id contains a digest of the issuer, because a subject is unique only within its issuer (Core §5.7). */
function toUser(issuer: string, claims: { sub: string; [claim: string]: unknown }): OpenIdUser {
  const { sub, name, email, email_verified: isVerified } = claims;
  const digest = (text: string) => createHash('sha256').update(text).digest('hex');
  const isPlain = sub.length <= MAX_SUBJECT_LENGTH && /^[\x21-\x7e]+$/.test(sub);
  return {
    id: `oidc:${digest(issuer).slice(0, 12)}:${isPlain ? sub : digest(sub)}`,
    name: readClaim(name, 128),
    email: isVerified === true ? readClaim(email, 254) : null,
  };
}

function readClaim(claim: unknown, maxLength: number): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the regex finds control characters on purpose
  const isPlain = typeof claim === 'string' && claim.trim() !== '' && !/[\u0000-\u001f\u007f]/.test(claim);
  return isPlain ? claim.trim().slice(0, maxLength) : null;
}
