import { createServer } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createClient, createManagementClient, createPageClient, NoAnswerError } from '../src/index.js';
import { type StandIn, says, startStandIn } from './support/stand-in.js';

let standIn: StandIn | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await standIn?.close();
  standIn = undefined;
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('a call without an answer', () => {
  it.each(['127.0.0.1', 'localhost'])('names the address %s and the cause', async (host) => {
    const url = `http://${host}:${await freePort()}`;
    const client = createClient({ url, apiKey: 'key', maxRetries: 0 });
    const calls = [
      () => client.entities.get('ann'),
      () => client.file(new Uint8Array(1), { entity: { role: 'human', name: 'Ann' } }),
    ];
    for (const call of calls) {
      const error: NoAnswerError = await call().catch((caught) => caught);
      expect(error).toBeInstanceOf(NoAnswerError);
      expect(error.message).toContain(`No response from ${url} (`);
      expect(error.message).toContain('ECONNREFUSED');
    }
  });

  it('names the address of a server that was too slow', async () => {
    standIn = await startStandIn(() => {});
    const client = createClient({ url: standIn.url, timeoutMs: 20, maxRetries: 0 });
    await expect(client.entities.get('ann')).rejects.toThrow(
      `No response from ${standIn.url} within 0.02 seconds.`,
    );
  });

  it('names the address of a server that is not the service', async () => {
    standIn = await startStandIn((response) => void response.writeHead(404).end('<html>'));
    const client = createClient({ url: standIn.url });
    await expect(client.entities.get('ann')).rejects.toThrow(
      `The response of ${standIn.url} (status 404, no media type) is not from Colophon. Check the address in \`url\`.`,
    );
  });
});

describe('a call that gets a response before its file is read', () => {
  it('leaves no timer that keeps the process alive', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let give: (bytes: Uint8Array) => void = () => {};
    const part = new Promise<Uint8Array>((resolve) => {
      give = resolve;
    });
    const content = (async function* () {
      yield await part;
    })();
    let sending: Promise<unknown> | undefined;
    const client = createClient({
      url: 'http://127.0.0.1',
      maxRetries: 0,
      async fetch(_url, init) {
        sending = new Response(init?.body).arrayBuffer();
        return Response.json({ error: { code: 'Unauthorized', message: 'no' } }, { status: 401 });
      },
    });
    const given = { entity: { role: 'human', name: 'Ann' } } as const;
    await expect(client.file(content, given, { fileName: 'late.txt' })).rejects.toThrow('no');
    give(new Uint8Array(1));
    await sending;
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a client with invalid options', () => {
  it.each(['localhost:3001', '', 'ftp://provenance.example', undefined])('rejects the address %s', (url) => {
    for (const create of [createClient, createManagementClient, createPageClient]) {
      const options = { url: url as string };
      expect(() => create(options)).toThrow(TypeError);
      expect(() => create(options)).toThrow(
        `\`url\` is ${JSON.stringify(url)}. Pass the address of the service`,
      );
    }
  });

  it('rejects an address with a password, and does not show the password', () => {
    const url = 'http://ann:secret@provenance.example';
    expect(() => createClient({ url })).toThrow(/^(?!.*secret).*contains a user name or password/);
  });

  it.each(['', 'pk_live_1\n', 'pk live', 'clé'])(
    'reports that the key %j cannot be sent in a header',
    async (apiKey) => {
      standIn = await startStandIn(says(200, {}));
      const client = createClient({ url: standIn.url, apiKey });
      await expect(client.entities.get('ann')).rejects.toThrow(
        'The key is empty or has an invalid character',
      );
      expect(standIn.received).toEqual([]);
    },
  );
});
