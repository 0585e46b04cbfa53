import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANY_ENGINE, KEY, type Service, startService } from '../../server/test/support/service.js';
import { openBrowser } from '../../web/test/support/browser.js';
import type * as sdk from '../src/index.js';
import { bundle } from './support/bundle.js';

const ENTRY = fileURLToPath(new URL('../src/index.ts', import.meta.url));
const SIZE = 8_000_000;

declare global {
  interface Window {
    sdk: typeof sdk;
    client: sdk.Client;
  }
}

describe('an upload from a page', () => {
  let service: Service;
  let site: Server;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    const script = await bundle(ENTRY);
    site = createServer(({ url, method }, response) => {
      // A test needs a service that does not respond.
      if (method === 'POST') return;
      const isScript = url === '/sdk.js';
      response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
      response.end(isScript ? script : '<body><script src="sdk.js"></script>');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => site.once('listening', resolve));
    browser = await openBrowser();
    page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    await page.evaluate(
      ([url, apiKey]) => {
        window.client = window.sdk.createClient({ url, apiKey });
      },
      [service.base, KEY] as const,
    );
  });
  afterAll(async () => {
    await browser?.close();
    site?.closeAllConnections();
    site?.close();
    await service?.stop();
  });

  it('reports its progress, and the stored bytes are unchanged', async () => {
    const { reports, recorded, cid } = await page.evaluate(async (size) => {
      const bytes = new Uint8Array(size).fill(7);
      const reports: sdk.UploadProgress[] = [];
      const recorded = await window.client.file(
        new File([bytes], 'photo.bin'),
        { entity: { role: 'human', name: 'Ann' } },
        { onProgress: (progress) => void reports.push(progress) },
      );
      return { reports, recorded, cid: await window.sdk.computeCid(bytes) };
    }, SIZE);
    expect(recorded).toMatchObject({ cid, size: SIZE });
    expect(reports.length).toBeGreaterThan(0);
    expect(reports.at(-1)).toEqual({ sentBytes: SIZE, totalBytes: SIZE });
    expect(reports.map(({ sentBytes }) => sentBytes)).toEqual(
      reports.map(({ sentBytes }) => sentBytes).toSorted((a, b) => a - b),
    );
  });

  it('can send a stream, and rejects with the error code and the request id when the service refuses', async () => {
    const refusal = await page.evaluate(async () => {
      const words = new TextEncoder().encode('a poem of a page');
      const entity = { role: 'human', name: 'Ann' } as const;
      await window.client.file(new Blob([words]).stream(), { entity });
      const error = await window.client.file(words, { entity }).catch((caught) => caught);
      return { name: error.name, code: error.code, requestId: error.requestId };
    });
    expect(refusal).toEqual({ name: 'ApiError', code: 'Duplicate', requestId: expect.any(String) });
  });

  it("ends with the signal's reason when the signal aborts during the upload or before it", async () => {
    const ends = await page.evaluate(async (size) => {
      const bytes = new Uint8Array(size).fill(8);
      const activity = { entity: { role: 'human', name: 'Ann' } } as const;
      const running = new AbortController();
      const onProgress = () => running.abort('enough');
      const middle = window.client.file(bytes, activity, { signal: running.signal, onProgress });
      const before = window.client.file(bytes, activity, { signal: AbortSignal.abort('never') });
      return Promise.all([middle, before].map((call) => call.catch((reason) => reason)));
    }, SIZE);
    expect(ends).toEqual(['enough', 'never']);
  });

  it('fails as `late` without an answer, and as `unreachable` without a server', async () => {
    const reasons = await page.evaluate(async () => {
      const entity = { role: 'human', name: 'Ann' } as const;
      const reasonOf = (url: string) =>
        window.sdk
          .createClient({ url, timeoutMs: 500, maxRetries: 0 })
          .file(new Uint8Array(10), { entity })
          .catch(({ reason }) => reason);
      return [await reasonOf(location.origin), await reasonOf('http://127.0.0.1:1')];
    });
    expect(reasons).toEqual(['late', 'unreachable']);
  });
});
