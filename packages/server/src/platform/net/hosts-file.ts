import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { readIfPresent } from '../files/text-file.js';
import { shareRecent } from '../work/share-recent.js';

export type ReadHosts = () => Promise<ReadonlyMap<string, LookupAddress[]>>;

const FRESH_MS = 5_000;

/** Some systems have no hosts file, such as Windows or a minimal container. */
export function createReadHosts(file = '/etc/hosts'): ReadHosts {
  return shareRecent(async () => parseHosts((await readIfPresent(file)) ?? ''), FRESH_MS);
}

/** Parses lines of the form `address name...`, with comments after `#` (hosts(5)). */
export function parseHosts(text: string): Map<string, LookupAddress[]> {
  const hosts = new Map<string, LookupAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      hosts.set(key, [...(hosts.get(key) ?? []), { address, family }]);
    }
  }
  return hosts;
}
