import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createGuardedFetch,
  type GuardedFetch,
  type GuardedFetchOptions,
} from '../../src/platform/net/guarded-fetch.js';
import type { NameResolver } from '../../src/platform/net/name-resolver.js';

/** This address stands for the public internet; others of this machine are internal. */
const OUTSIDE = '127.0.0.2';
const INSIDE = '127.0.0.1';

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

async function listen(address: string, answer: Parameters<typeof createServer>[1]) {
  const seen: string[] = [];
  const server: Server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`.trim());
    answer?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  opened.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const { port } = server.address() as AddressInfo;
  return { url: `http://${address}:${port}`, port, seen };
}

function guard(options: GuardedFetchOptions = {}): GuardedFetch['fetch'] {
  const guarded = createGuardedFetch({ isAllowed: (address) => address === OUTSIDE, ...options });
  opened.push(guarded.close);
  return guarded.fetch;
}

/** Each name resolves to the next answer. */
function resolveTo(...answers: string[][]): { resolver: NameResolver; asked: string[] } {
  const asked: string[] = [];
  const resolve = async (name: string) => {
    const addresses = answers[asked.length] ?? answers.at(-1) ?? [];
    asked.push(name);
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return { resolver: { resolve, close() {} }, asked };
}

const secret: Parameters<typeof createServer>[1] = (_request, response) => response.end('secret');
const refused = { name: 'AddressRefusedError' };

describe('the target of a guarded request', () => {
  it('may be an allowed address, and gets method, headers and body unchanged', async () => {
    const { url, seen } = await listen(OUTSIDE, async (request, response) => {
      for await (const chunk of request) response.write(chunk);
      response.end();
    });
    const init = { method: 'POST', body: 'sent', headers: { authorization: 'Bearer t' } };
    expect(await (await guard()(`${url}/a`, init)).text()).toBe('sent');
    expect(seen).toEqual(['POST /a Bearer t']);
  });

  it('may be an allowed name', async () => {
    const { port } = await listen(OUTSIDE, secret);
    const { resolver } = resolveTo([OUTSIDE]);
    expect(await (await guard({ resolver })(`http://gateway.example:${port}`)).text()).toBe('secret');
  });

  it.each(['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost'])(
    'cannot be this machine, written as %s',
    async (host) => {
      const { port, seen } = await listen(INSIDE, secret);
      const guarded = createGuardedFetch();
      opened.push(guarded.close);
      await expect(guarded.fetch(`http://${host}:${port}`)).rejects.toMatchObject(refused);
      expect(seen).toEqual([]);
    },
  );

  it.each([[[INSIDE]], [['10.0.0.1']], [[OUTSIDE, INSIDE]], [['::1']], [['::ffff:127.0.0.1']]])(
    'cannot be a name that resolves to %s',
    async (addresses) => {
      const { port, seen } = await listen(INSIDE, secret);
      const { resolver } = resolveTo(addresses);
      await expect(guard({ resolver })(`http://gateway.example:${port}`)).rejects.toMatchObject(refused);
      expect(seen).toEqual([]);
    },
  );

  it.each([
    ['this host', '0.0.0.0'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['link-local, with the metadata of most clouds', '169.254.169.254'],
    ['unique local, with the metadata of Amazon', 'fd00:ec2::254'],
    ['IPv4-mapped', '::ffff:169.254.169.254'],
    ['NAT64', '64:ff9b::169.254.169.254'],
    ['6to4', '2002:a9fe:a9fe::1'],
    ['link-local of IPv6', 'fe80::1'],
    ['private, after a public address', '1.1.1.1', '192.168.0.1'],
  ])('cannot by default be a name that resolves to an internal address: %s', async (_what, ...addresses) => {
    const { resolver } = resolveTo(addresses);
    const guarded = createGuardedFetch({ resolver });
    opened.push(guarded.close);
    await expect(guarded.fetch('http://gateway.example:8080')).rejects.toMatchObject(refused);
  });

  it.each(['3232235521', '0300.0250.0.1', '0xc0a80001', '192.168.1', '①②⑦.0.0.1', '127。0。0。1'])(
    'cannot be named as %s',
    (host) => {
      const guarded = createGuardedFetch();
      opened.push(guarded.close);
      expect(guarded.mayReach(`https://${host}/`)).toBe(false);
    },
  );

  it.each(['http://127.0.0.2@127.0.0.1', 'http://user:word@127.0.0.2'])(
    'cannot be an address with a user in it: %s',
    async (address) => {
      const { port, seen } = await listen(INSIDE, secret);
      await expect(guard()(`${address}:${port}`)).rejects.toThrow();
      expect(seen).toEqual([]);
    },
  );

  it('does not decide how long an idle connection stays open', async () => {
    let closed = () => {};
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const { url } = await listen(OUTSIDE, (request, response) => {
      request.socket.once('close', closed);
      response.setHeader('Keep-Alive', 'timeout=600').end('ok');
      response.once('close', () => request.socket.setTimeout(0));
    });
    const answer = await guard()(url);
    expect(await answer.text()).toBe('ok');
    await isClosed;
  });

  it('is the checked address, even if the name resolves elsewhere afterwards', async () => {
    const outside = await listen(OUTSIDE, (_request, response) => response.end('public'));
    const { resolver, asked } = resolveTo([OUTSIDE], [INSIDE]);
    const answer = await guard({ resolver })(`http://rebinding.example:${outside.port}`);
    expect([await answer.text(), asked]).toEqual(['public', ['rebinding.example']]);
  });

  it.each([301, 302, 303, 307, 308])('cannot be this machine after a redirect (%i)', async (status) => {
    const inside = await listen(INSIDE, secret);
    const { url } = await listen(OUTSIDE, (_request, response) =>
      response.writeHead(status, { location: `${inside.url}/latest/meta-data` }).end(),
    );
    await expect(guard()(url)).rejects.toMatchObject(refused);
    expect(inside.seen).toEqual([]);
  });

  it('cannot be a name of this machine after a redirect', async () => {
    const inside = await listen(INSIDE, secret);
    const { port } = await listen(OUTSIDE, (_request, response) =>
      response.writeHead(302, { location: `http://inside.example:${inside.port}` }).end(),
    );
    const { resolver } = resolveTo([OUTSIDE], [INSIDE]);
    await expect(guard({ resolver })(`http://outside.example:${port}`)).rejects.toMatchObject(refused);
    expect(inside.seen).toEqual([]);
  });

  it('may be an allowed address after a redirect, and does not get the token of the first request', async () => {
    const second = await listen(OUTSIDE, secret);
    const first = await listen(OUTSIDE, (_request, response) =>
      response.writeHead(302, { location: `${second.url}/b` }).end(),
    );
    const answer = await guard()(first.url, { headers: { authorization: 'Bearer t' } });
    expect([await answer.text(), second.seen]).toEqual(['secret', ['GET /b']]);
  });

  it.each([
    'file:///etc/passwd',
    'ftp://gateway.example/',
    `http://${OUTSIDE}:25/`,
    `http://${OUTSIDE}:6667/`,
  ])('cannot be %s', async (url) => {
    await expect(guard()(url)).rejects.toThrow();
  });
});
