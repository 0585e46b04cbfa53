import { once } from 'node:events';
import type { Server } from 'node:http';
import { freePort } from './free-port.js';

/** Has its own pages for signing in and consent. */
export interface TestProvider {
  issuer: string;
  stop(): Promise<void>;
}

export const OPENID_CLIENT = { clientId: 'colophon', clientSecret: 'a-secret-of-the-tests' };

/** A real provider, which accepts every name with any password. */
export async function startOpenIdProvider(redirectUri: string): Promise<TestProvider> {
  const { default: Provider } = await import('oidc-provider');
  const issuer = `http://127.0.0.1:${await freePort()}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: OPENID_CLIENT.clientId,
        client_secret: OPENID_CLIENT.clientSecret,
        redirect_uris: [redirectUri],
      },
    ],
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    findAccount: (_ctx: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({
        sub: id,
        name: `Name of ${id}`,
        email: `${id}@example.org`,
        email_verified: true,
      }),
    }),
    cookies: { keys: ['of the tests'] },
    pkce: { required: () => true },
  });
  const server: Server = provider.listen(Number(new URL(issuer).port), '127.0.0.1');
  await once(server, 'listening');
  return {
    issuer,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
