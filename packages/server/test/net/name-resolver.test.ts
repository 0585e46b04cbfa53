import { lookup } from 'node:dns/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createGuardedFetch } from '../../src/platform/net/guarded-fetch.js';
import { parseHosts } from '../../src/platform/net/hosts-file.js';
import { createNameResolver, type NameResolverOptions } from '../../src/platform/net/name-resolver.js';
import { startDnsServer } from '../support/dns-server.js';

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

async function open(options: NameResolverOptions = {}) {
  const server = await startDnsServer({ 'known.example': '192.0.2.7', 'only4.example': '192.0.2.8' });
  const resolver = createNameResolver({ servers: [server.address], ...options });
  opened.push(server.close, resolver.close);
  return { resolver, asked: server.asked };
}

const systemLookups = () =>
  process.getActiveResourcesInfo().filter((name) => name === 'GetAddrInfoReqWrap').length;

const REQUESTS = 20;
const SILENT = Array.from({ length: REQUESTS }, (_, index) => `h${index}.silent.example`);
const UNKNOWN = { name: 'UnknownNameError' };

describe('a DNS server that does not answer', () => {
  it('occupies no system look-up of the process while guarded requests wait for the server', async () => {
    const { resolver, asked } = await open();
    const guarded = createGuardedFetch({ resolver });
    const ended = Promise.allSettled(SILENT.map((name) => guarded.fetch(`http://${name}/`)));
    await nextTurn();
    expect(systemLookups()).toBe(0);
    await vi.waitFor(() => expect(new Set(asked).size).toBe(REQUESTS));
    expect(systemLookups()).toBe(0);
    expect((await lookup('localhost')).address).not.toBe('');
    expect((await resolver.resolve('known.example'))[0]?.address).toBe('192.0.2.7');
    await guarded.close();
    expect((await ended).every(({ status }) => status === 'rejected')).toBe(true);
  });

  it('causes no look-up through the system, and a pending look-up ends when the resolver closes', async () => {
    const askSystem = vi.fn();
    const { resolver, asked } = await open({ askSystem });
    const found = resolver.resolve('a.silent.example');
    const ended = expect(found).rejects.toMatchObject(UNKNOWN);
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(0));
    resolver.close();
    await ended;
    expect(askSystem).not.toHaveBeenCalled();
  });
});

describe('a host name', () => {
  it('has the addresses of one kind when the server does not answer for the other', async () => {
    const { resolver, asked } = await open();
    expect(await resolver.resolve('only4.example')).toEqual([{ address: '192.0.2.8', family: 4 }]);
    // One second later, the resolver would repeat the query for the other kind of addresses.
    expect(asked).toHaveLength(2);
  });

  it('of the hosts file has the addresses there, without a query', async () => {
    const hosts = parseHosts(
      '127.0.0.1 localhost\n::1\tlocalhost  Me.local # 192.0.2.1\n#192.0.2.2 other\nbad x',
    );
    const { resolver, asked } = await open({ readHosts: async () => hosts });
    expect(await resolver.resolve('LOCALHOST.')).toEqual([
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]);
    expect([...hosts.keys(), asked.length]).toEqual(['localhost', 'me.local', 0]);
  });

  it('that DNS does not know goes to `askSystem`, one name at a time; without `askSystem` it is unknown', async () => {
    await expect((await open()).resolver.resolve('absent.example')).rejects.toMatchObject(UNKNOWN);
    const waiting: (() => void)[] = [];
    const askSystem = () =>
      new Promise<{ address: string; family: number }[]>((resolve) =>
        waiting.push(() => resolve([{ address: '192.0.2.8', family: 4 }])),
      );
    const { resolver, asked } = await open({ askSystem });
    const found = Promise.all(['a.example', 'b.example'].map((name) => resolver.resolve(name)));
    await vi.waitFor(() => expect([asked.length, waiting.length]).toEqual([4, 1]));
    await nextTurn();
    expect(waiting).toHaveLength(1);
    waiting[0]?.();
    await vi.waitFor(() => expect(waiting).toHaveLength(2));
    waiting[1]?.();
    expect((await found).flat().map(({ address }) => address)).toEqual(['192.0.2.8', '192.0.2.8']);
  });
});
