import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, fetch as agentFetch, buildConnector } from 'undici';
import { isPublicAddress } from './public-address.js';

/** A `fetch` for addresses from callers. */
export interface GuardedFetch {
  fetch: typeof globalThis.fetch;
  /** Whether the host of this URL is allowed. Host names are checked when they are resolved. */
  mayReach(url: string): boolean;
  close(): Promise<void>;
}

/**
 * The allowed addresses and the resolver of names. The defaults are the public internet and the system's resolver.
 */
export interface GuardedFetchOptions {
  isAllowed?: (address: string) => boolean;
  lookup?: typeof systemLookup;
}

/** The caller's address leads to a network that is not allowed. */
export class AddressRefusedError extends Error {
  constructor(host: string, address: string) {
    const leads = host === address ? `${host} is` : `${host} leads to ${address},`;
    super(`${leads} no address of the public internet`);
    this.name = 'AddressRefusedError';
  }
}

const CONNECT_MS = 10_000;

/**
 * Creates a `fetch` that reaches only allowed addresses. It checks each connection when it is made, even after a
 * redirect, and connects to exactly the checked address, whatever the name resolves to later. A name with one
 * forbidden address is rejected. Rejects with `AddressRefusedError`.
 */
export function createGuardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
  const { isAllowed = isPublicAddress, lookup = systemLookup } = options;
  const isRefused = (host: string) => isIP(host) !== 0 && !isAllowed(host);
  const connect = buildConnector({ timeout: CONNECT_MS, lookup: guardLookup(isAllowed, lookup) });
  const agent = new Agent({
    connect(target, done) {
      // The look-up checks a name; an address has no look-up.
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
    close: () => agent.destroy(),
  };
}

/** Removes the brackets of an IPv6 address in a URL. */
function toHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function guardLookup(isAllowed: (address: string) => boolean, lookup: typeof systemLookup): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) {
        return done(error ?? new Error(`${hostname} has no address`), [], 0);
      }
      const refused = addresses.find(({ address }) => !isAllowed(address));
      if (refused !== undefined) return done(new AddressRefusedError(hostname, refused.address), [], 0);
      if (options.all === true) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}
