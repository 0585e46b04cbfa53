import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, fetch as agentFetch, buildConnector } from 'undici';
import { createNameResolver, type NameResolver } from './name-resolver.js';
import { isPublicAddress } from './public-address.js';

export interface GuardedFetch {
  fetch: typeof globalThis.fetch;
  /** Always true for a host name: only `fetch` resolves and checks names. */
  mayReach(url: string): boolean;
  close(): Promise<void>;
}

export interface GuardedFetchOptions {
  isAllowed?: (address: string) => boolean;
  resolver?: NameResolver;
}

export class AddressRefusedError extends Error {
  constructor(host: string, address: string) {
    const leads = host === address ? `${host} is` : `${host} leads to ${address},`;
    super(`${leads} not an address of the public internet`);
    this.name = 'AddressRefusedError';
  }
}

const CONNECT_MS = 10_000;
const KEEP_ALIVE_MS = 1_000;

/**
 * Creates a `fetch` for URLs from callers (protection against SSRF). It connects only to addresses that it has checked,
 * also after a redirect. One forbidden address of a name is enough to reject with AddressRefusedError.
 */
export function createGuardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
  const { isAllowed = isPublicAddress, resolver = createNameResolver() } = options;
  const isRefused = (host: string) => isIP(host) !== 0 && !isAllowed(host);
  const connect = buildConnector({ timeout: CONNECT_MS, lookup: guardLookup(isAllowed, resolver) });
  const agent = new Agent({
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connect(target, done) {
      // `lookup` is not called for a URL with an IP address.
      const host = toHost(target.hostname);
      if (isRefused(host)) done(new AddressRefusedError(host, host), null);
      else connect(target, done);
    },
  });
  const guarded = async (input: string | URL, init: object = {}) => {
    try {
      return await agentFetch(input, { ...init, dispatcher: agent });
    } catch (error) {
      const { cause } = error as Error;
      throw cause instanceof AddressRefusedError ? cause : error;
    }
  };
  return {
    fetch: guarded as typeof globalThis.fetch,
    mayReach: (url) => !isRefused(toHost(new URL(url).hostname)),
    close() {
      resolver.close();
      return agent.destroy();
    },
  };
}

function toHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function guardLookup(isAllowed: (address: string) => boolean, { resolve }: NameResolver): LookupFunction {
  return (hostname, options, done) => {
    const check = (addresses: LookupAddress[]) => {
      const refused = addresses.find(({ address }) => !isAllowed(address));
      if (refused !== undefined) return done(new AddressRefusedError(hostname, refused.address), [], 0);
      const [first = { address: '', family: 0 }] = addresses;
      if (options.all === true) done(null, addresses);
      else done(null, first.address, first.family);
    };
    resolve(hostname).then(check, (error: Error) => done(error, [], 0));
  };
}
