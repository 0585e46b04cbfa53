import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createKuboPinner } from '../../src/blobs/pinning/kubo.js';
import { createPinataPinner } from '../../src/blobs/pinning/pinata.js';
import type { Pinner } from '../../src/blobs/pinning/pinner.js';
import { createGuardedFetch } from '../../src/platform/net/guarded-fetch.js';

const { fetch } = createGuardedFetch({ isAllowed: () => true });

const PINNERS: Record<string, (url: string) => Pinner> = {
  kubo: (apiUrl) => createKuboPinner({ apiUrl }),
  'kubo of a project': (apiUrl) => createKuboPinner({ apiUrl, fetch }),
  pinata: (uploadUrl) => createPinataPinner({ jwt: 't', gateway: undefined, uploadUrl }),
  'pinata of a project': (uploadUrl) =>
    createPinataPinner({ jwt: 't', gateway: undefined, uploadUrl, fetch }),
};

function countedContent() {
  const counts = { opened: 0, closed: 0 };
  return {
    counts,
    cid: 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e',
    sizeBytes: 10_000_000,
    mimeType: 'text/plain',
    async open() {
      counts.opened += 1;
      async function* bytes() {
        try {
          for (let piece = 0; piece < 100; piece++) yield Buffer.alloc(100_000);
        } finally {
          counts.closed += 1;
        }
      }
      return bytes();
    },
  };
}

describe.each(Object.keys(PINNERS))('a faulty pinning service: %s', (name) => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  async function startPinner(listener: RequestListener): Promise<Pinner> {
    server = createServer(listener);
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    return makePinner(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  const makePinner = (url: string) => PINNERS[name]?.(url) as Pinner;

  it('when it rejects before the bytes arrive, pinning fails and each opened content is closed', async () => {
    const pinner = await startPinner(
      (_request, response) => void response.writeHead(401).end('who are you?'),
    );
    const content = countedContent();
    for (let run = 0; run < 5; run++)
      await expect(pinner.pin(content, AbortSignal.timeout(20_000))).rejects.toThrow();
    await sleep(300);
    expect(content.counts.closed).toBe(content.counts.opened);
  });

  it('when it cannot be reached, pinning fails and each opened content is closed', async () => {
    const content = countedContent();
    const pinner = makePinner('http://127.0.0.1:1');
    await expect(pinner.pin(content, AbortSignal.timeout(20_000))).rejects.toThrow();
    expect(content.counts.closed).toBe(content.counts.opened);
  });

  it.each([200, 500])(
    'when it answers %i without end, pinning fails and reads less than 50 MB',
    async (status) => {
      let sentBytes = 0;
      const pinner = await startPinner((request, response) => {
        request.resume();
        response.writeHead(status);
        const send = () => {
          do sentBytes += 100_000;
          while (sentBytes < 1e9 && response.write(Buffer.alloc(100_000, 'A')));
        };
        response.on('drain', send);
        send();
      });
      const content = { ...countedContent(), sizeBytes: 2, open: async () => asPieces('ok') };
      await expect(pinner.pin(content, AbortSignal.timeout(20_000))).rejects.toThrow();
      expect(sentBytes).toBeLessThan(5e7);
    },
  );
});

async function* asPieces(text: string) {
  yield Buffer.from(text);
}
