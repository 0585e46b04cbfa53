import { type LookupAddress, promises } from 'node:dns';
import { setTimeout as sleep } from 'node:timers/promises';
import { whenAborted } from '../sleep-until.js';
import { createConcurrencyLimit } from '../work/limit-concurrency.js';
import { createReadHosts, type ReadHosts } from './hosts-file.js';

/** Resolves host names from callers. */
export interface NameResolver {
  /** Returns at least one address. Rejects with `UnknownNameError` after 5 s at the latest. */
  resolve(name: string): Promise<LookupAddress[]>;
  /** Ends all look-ups. */
  close(): void;
}

export interface NameResolverOptions {
  /** DNS servers, such as `10.0.0.1:53`. By default, the DNS servers of the system. */
  servers?: readonly string[];
  readHosts?: ReadHosts;
  /** Asks the operating system when DNS does not know a name or fails, for example for a name with a search domain. */
  askSystem?: (name: string) => Promise<LookupAddress[]>;
}

/** Looks a name up in one of the two threads that libuv has for look-ups. */
export const askSystem = (name: string): Promise<LookupAddress[]> => promises.lookup(name, { all: true });

/** The host name has no address, or no server answered in time. */
export class UnknownNameError extends Error {
  constructor(name: string, cause: unknown) {
    super(`${name} has no address`, { cause });
    this.name = 'UnknownNameError';
  }
}

/** Time limit of one look-up. It is shorter than the time limit of a connection. */
const LOOKUP_MS = 5_000;
/** Time limit of one query. A second query follows, because a packet can get lost. */
const QUERY_MS = 1_000;
const QUERIES = 2;
/** Time to wait for the IPv6 addresses after the IPv4 addresses have arrived, or vice versa (compare RFC 8305 §3). */
const OTHER_KIND_MS = 300;
const ABSENT: readonly unknown[] = [promises.NOTFOUND, promises.NODATA];
/** Errors after which the operating system may still know the name. */
const OF_SYSTEM: readonly unknown[] = [...ABSENT, promises.SERVFAIL, promises.REFUSED, promises.CONNREFUSED];

/**
 * Sends its own DNS queries (c-ares). `dns.lookup` runs only two look-ups at a time for the whole process. With it,
 * names with a silent DNS server would delay all other names.
 */
export function createNameResolver({
  servers,
  readHosts = createReadHosts(),
  askSystem,
}: NameResolverOptions = {}): NameResolver {
  const running = new Set<() => void>();
  const inTurn = createConcurrencyLimit({ atOnce: 1, waiting: Number.POSITIVE_INFINITY });

  async function resolve(name: string, signal: AbortSignal): Promise<LookupAddress[]> {
    const known = (await readHosts()).get(name.toLowerCase().replace(/\.$/, ''));
    if (known !== undefined) return known;
    try {
      return await queryBoth(name, { servers, signal });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (askSystem === undefined || !OF_SYSTEM.includes(code)) throw error;
      return inTurn(() => askSystem(name), signal);
    }
  }

  return {
    async resolve(name) {
      const end = new AbortController();
      const abort = () => end.abort(new Error('The look-up took too long'));
      const timer = setTimeout(abort, LOOKUP_MS);
      running.add(abort);
      try {
        return await Promise.race([resolve(name, end.signal), whenAborted(end.signal)]);
      } catch (error) {
        throw new UnknownNameError(name, error);
      } finally {
        clearTimeout(timer);
        running.delete(abort);
      }
    },
    close() {
      for (const abort of running) abort();
    },
  };
}

/** Each call has its own resolver, because `cancel` ends all queries of a resolver. */
async function queryBoth(
  name: string,
  { servers, signal }: { servers: readonly string[] | undefined; signal: AbortSignal },
): Promise<LookupAddress[]> {
  const resolver = new promises.Resolver({ timeout: QUERY_MS, tries: QUERIES });
  if (servers !== undefined) resolver.setServers(servers);
  signal.addEventListener('abort', () => resolver.cancel(), { once: true });
  const addresses: LookupAddress[] = [];
  const queries = [4, 6].map(async (family) => {
    const found = await (family === 4 ? resolver.resolve4(name) : resolver.resolve6(name));
    addresses.push(...found.map((address) => ({ address, family })));
  });
  const settled = Promise.allSettled(queries);
  await Promise.any(queries).catch(() => undefined);
  if (addresses.length > 0) {
    await Promise.race([settled, sleep(OTHER_KIND_MS, undefined, { ref: false })]);
    resolver.cancel();
    return addresses.toSorted((one, other) => one.family - other.family);
  }
  const answers = await settled;
  const errors = answers.map((answer) => (answer.status === 'rejected' ? answer.reason : undefined));
  // An outage comes before "absent", because the address may exist.
  throw errors.find((error) => error !== undefined && !ABSENT.includes(error.code)) ?? errors[0];
}
