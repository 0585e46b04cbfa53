import type { LookupAddress } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

export type ReadHosts = () => Promise<ReadonlyMap<string, LookupAddress[]>>;

const FRESH_MS = 5_000;

/** Creates a function that returns the addresses of each name in a hosts file, at most 5 s old. */
export function createReadHosts(file = '/etc/hosts'): ReadHosts {
  let known: { hosts: ReturnType<ReadHosts>; atMs: number } | undefined;
  return () => {
    if (known === undefined || performance.now() - known.atMs >= FRESH_MS)
      known = { hosts: readHosts(file), atMs: performance.now() };
    return known.hosts;
  };
}

/** A system without the file, such as Windows or a minimal container, has no such names. */
async function readHosts(file: string): ReturnType<ReadHosts> {
  try {
    return parseHosts(await readFile(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
    throw error;
  }
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
