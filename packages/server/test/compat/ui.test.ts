import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { ProvenanceKit } from '@provenancekit/sdk';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../../../web/test/support/browser.js';
import { ANY_ENGINE, KEY, type Service, startService } from '../support/service.js';

const PAGE = fileURLToPath(new URL('./ui-page.ts', import.meta.url));
/** Bundlers for browsers replace Node's `crypto`, which the UI imports. */
const WEB_CRYPTO = fileURLToPath(new URL('./web-crypto.ts', import.meta.url));
const WAIT_MS = 40_000;

async function bundlePage(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { alias: { crypto: WEB_CRYPTO } },
    build: { write: false, minify: false, lib: { entry: PAGE, formats: ['iife'], name: 'page' } },
  });
  const [{ output } = { output: [] }] = [built].flat() as { output: { type: string; code?: string }[] }[];
  return output.find(({ type }) => type === 'chunk')?.code ?? '';
}

describe('the ProvenanceKit UI in a browser', () => {
  let service: Service;
  let pages: Server;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];
  let actionIds: string[];

  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    const pk = new ProvenanceKit({ baseUrl: service.base, apiKey: KEY });
    const entity = { id: 'studio:ann', role: 'human', name: 'Ann of the studio' };
    const source = await pk.file(Buffer.from('a source'), { entity, sessionId: 's1' });
    const made = await pk.file(Buffer.from('a picture'), {
      entity: { id: 'bot', role: 'ai', name: 'Painter bot' },
      action: { type: 'generate', inputCids: [source.cid], aiTool: { provider: 'Acme', model: 'painter-7' } },
      resourceType: 'image',
      attribution: { license: 'CC_BY' },
      sessionId: 's1',
    });
    actionIds = [source.actionId ?? '', made.actionId ?? ''];
    const script = await bundlePage();
    pages = createServer(({ url }, response) => {
      const [type, body] =
        url === '/page.js'
          ? ['text/javascript', script]
          : ['text/html', '<body><script src="page.js"></script>'];
      response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(body);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => pages.once('listening', resolve));
    browser = await openBrowser();
    page = await browser.newPage();
    page.on('pageerror', (error) => void faults.push(String(error)));
    page.on('response', (answer) => {
      if (answer.url().startsWith(service.base) && answer.status() >= 400)
        faults.push(`${answer.status()} ${answer.url()}`);
    });
    const asked = new URLSearchParams({ apiUrl: service.base, apiKey: KEY, cid: made.cid, sessionId: 's1' });
    await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/#${asked}`);
  });
  afterAll(async () => {
    await browser?.close();
    pages?.close();
    await service?.stop();
  });

  const textOf = async (section: string, until: string) => {
    const place = page.locator(`#${section}`);
    await place.getByText(until).first().waitFor({ timeout: WAIT_MS });
    return place.innerText();
  };

  it('shows the content of a bundle with its licence, the actions and the performers', async () => {
    expect(await textOf('bundle', 'CC BY')).toMatch(/image/i);
    await page
      .locator('#bundle')
      .getByText(/^Actions/)
      .click();
    expect(await textOf('bundle', 'generate')).toMatch(/create/i);
    await page
      .locator('#bundle')
      .getByText(/^Entities/)
      .click();
    expect(await textOf('bundle', 'Ann of the studio')).toContain('Painter bot');
  });

  it('draws a graph with a node for each entity, action and content', async () => {
    await page.locator('#graph .react-flow__node').first().waitFor({ timeout: WAIT_MS });
    const ids = await page
      .locator('#graph .react-flow__node')
      .evaluateAll((nodes) => nodes.map((node) => node.getAttribute('data-id')));
    expect(ids).toEqual(
      expect.arrayContaining(['ent:studio:ann', 'ent:bot', ...actionIds.map((id) => `act:${id}`)]),
    );
    expect(ids.filter((id) => id?.startsWith('res:'))).toHaveLength(2);
  });

  it('shows the actions of a session, the newest first', async () => {
    const text = await textOf('session', 'Acme · painter-7');
    expect(text.search(/generate/i)).toBeLessThan(text.search(/create/i));
  });

  it('causes no page error and no failed request', () => {
    expect(faults).toEqual([]);
  });
});
