import { readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { overlaySnippet } from '@colophon/model';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PNG } from '../../../server/test/support/media.js';
import { ANY_ENGINE, jsonPost, type Service, startService } from '../../../server/test/support/service.js';
import { findBarriers, keepPicture, LOOKS, openBrowser, openPage } from '../support/browser.js';

const BADGE = fileURLToPath(new URL('../../dist/badge.js', import.meta.url));
const MAX_BYTES = 10_240;

const OTHER_PNG = Buffer.concat([PNG, Buffer.from('more')]);

it('the badge is smaller than 10 KiB before compression, and uses no cookies, storage, `innerHTML` or `eval`', () => {
  expect(statSync(BADGE).size).toBeLessThan(MAX_BYTES);
  expect(readFileSync(BADGE, 'utf8')).not.toMatch(/document\.cookie|localStorage|innerHTML|\beval\b/);
});

type Box = { x: number; y: number; width: number; height: number } | null;

function isWithin(inner: Box, outer: Box): boolean {
  if (inner === null || outer === null) return false;
  const isInside = (at: number, size: number, from: number, room: number) =>
    size > 0 && at >= from && at + size <= from + room;
  return (
    isInside(inner.x, inner.width, outer.x, outer.width) &&
    isInside(inner.y, inner.height, outer.y, outer.height)
  );
}

describe('the badge on another site', () => {
  let service: Service;
  let browser: Browser;
  let site: Server;
  let origin: string;
  let markup = '';
  let styles = "'none'";
  let cid: string;
  let id: string;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(ANY_ENGINE), openBrowser()]);
    site = createServer((request, response) => {
      if (request.url === '/picture.png') return void response.end(PNG);
      if (request.url === '/other.png') return void response.end(OTHER_PNG);
      response.setHeader('content-type', 'text/html; charset=utf-8');
      // The permissions that the badge documents, and no others.
      response.setHeader(
        'content-security-policy',
        `default-src 'none'; style-src ${styles}; img-src 'self'; script-src ${service.base}; connect-src 'self' ${service.base}`,
      );
      response.end(
        `<!doctype html><html lang="en"><title>News</title><main><h1>News</h1>${markup}</main>` +
          `<script src="${service.base}/app/badge.js" async></script></html>`,
      );
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    origin = `http://localhost:${(site.address() as AddressInfo).port}`;
    const action = { type: 'generate', aiTool: { provider: 'Acme', model: 'painter' } };
    const made = await service.upload(PNG, { entity: { role: 'human', name: 'Ann Quill' }, action });
    cid = (await made.json()).cid;
    id = (await (await service.send('/v1/publications', jsonPost({ cid }))).json()).id;
  });
  afterAll(async () => {
    await browser?.close();
    site?.close();
    await service?.stop();
  });

  const paperOf = (page: Page) =>
    badges(page).evaluate((button) => getComputedStyle(button as HTMLElement).backgroundColor);
  const picture = (name: string, publication: string) =>
    `<p><img src="/${name}.png" alt="A heron" width="240" height="160" data-colophon="${publication}"></p>`;
  /** Omits requests to the service, the only foreign origin that the site allows. */
  const beyond = (faults: readonly string[]) =>
    faults.filter((fault) => !fault.startsWith(`a request to ${service.base}/app/`));
  const badges = (page: Page) => page.getByRole('button', { name: 'AI-generated' });

  it.each(LOOKS)(
    'is drawn next to the picture under a strict policy, without accessibility problems: $name',
    async ({ name, ...look }) => {
      markup = picture('picture', id);
      const { page, faults } = await openPage(browser, `${origin}/`, look);
      await badges(page).click();
      await page
        .getByText('AI-generated. Made by Ann Quill. AI tools in its history: Acme painter.')
        .waitFor();
      await page.getByText('The picture is exactly the published file.').waitFor();
      const icon = await page.locator('.colophon-label').boundingBox();
      const place = await page.getByRole('img', { name: 'A heron' }).boundingBox();
      expect(isWithin(icon, place)).toBe(true);
      // The site is white, also on a dark device.
      expect(await paperOf(page)).toBe('rgb(255, 255, 255)');
      const link = page.getByRole('link', { name: 'See the whole history' });
      expect(await link.getAttribute('href')).toBe(`${service.base}/app/p/${id}`);
      expect(await findBarriers(page)).toEqual([]);
      await keepPicture(page, `badge-${name}`);
      expect(beyond(faults)).toEqual([]);
      expect(await page.context().cookies()).toEqual([]);
      await page.context().close();
    },
  );

  it('reports that a picture with other bytes is not exactly the published one', async () => {
    markup = picture('other', id);
    const { page, faults } = await openPage(browser, `${origin}/`);
    await badges(page).click();
    await page.getByText('The picture is not exactly the published file.').waitFor();
    expect(beyond(faults)).toEqual([]);
    await page.context().close();
  });

  it('opens and closes by keyboard, and is drawn once per picture, also for a picture added later', async () => {
    markup = picture('picture', id);
    const { page } = await openPage(browser, `${origin}/`);
    await badges(page).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await badges(page).getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('Escape');
    expect(await badges(page).getAttribute('aria-expanded')).toBe('false');
    await page.evaluate((publication) => {
      const later = document.createElement('img');
      later.alt = 'Another';
      later.src = '/picture.png';
      later.setAttribute('data-colophon', publication);
      document.querySelector('main')?.append(later);
    }, id);
    await badges(page).nth(1).waitFor();
    expect(await badges(page).count()).toBe(2);
    await page.context().close();
  });

  it('has an alternative without scripts: HTML with the label on the picture', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const src = `data:image/png;base64,${PNG.toString('base64')}`;
    const html = overlaySnippet({ ai: 'sources', src: '/', alt: 'A heron', href: '/p' }) ?? '';
    await page.setContent(html.replace('src="/"', `src="${src}" width="240" height="160"`));
    const [icon, place] = await Promise.all(
      ['AI', 'A heron'].map((name) => page.getByRole('img', { name, exact: true }).boundingBox()),
    );
    expect(isWithin(icon ?? null, place ?? null)).toBe(true);
    await page.getByText('AI was used in the sources of this picture.').waitFor();
    await context.close();
  });

  it('is dark on a site that is dark', async () => {
    markup = `<meta name="color-scheme" content="light dark">${picture('picture', id)}`;
    const { page } = await openPage(browser, `${origin}/`, { colorScheme: 'dark' });
    expect(await paperOf(page)).toBe('rgb(29, 35, 36)');
    await page.context().close();
  });

  it('names the makers beside a label in the HTML, and the label stays when the link has ended', async () => {
    styles = "'unsafe-inline'";
    const ended = (await (await service.send('/v1/publications', jsonPost({ cid }))).json()).id;
    await service.send(`/v1/publications/${ended}`, { method: 'DELETE' });
    const label = (publication: string) =>
      overlaySnippet({ ai: 'generated', src: '/picture.png', alt: 'A heron', href: '/p', publication }) ?? '';
    markup = `${label(ended)}${label(id)}`.replaceAll('<img', '<img width="240" height="160"');
    const { page, faults } = await openPage(browser, `${origin}/`);
    await page.getByRole('button', { name: 'Made by Ann Quill', exact: true }).waitFor();
    expect(await page.getByRole('button').count()).toBe(1);
    expect(await page.locator('.colophon-label').count()).toBe(0);
    const icons = page.getByRole('img', { name: 'AI GENERATED' });
    expect(await icons.count()).toBe(2);
    for (const at of [0, 1]) {
      const place = await page.getByRole('img', { name: 'A heron' }).nth(at).boundingBox();
      expect(isWithin(await icons.nth(at).boundingBox(), place)).toBe(true);
    }
    const [badge, labelled] = await Promise.all([
      page.getByRole('button').boundingBox(),
      page.getByRole('img', { name: 'A heron' }).nth(1).boundingBox(),
    ]);
    expect(badge?.x).toBe(labelled?.x);
    expect(badge?.y).toBeGreaterThanOrEqual((labelled?.y ?? Number.NaN) + 160);
    await keepPicture(page, 'badge-label-ended');
    expect(beyond(faults)).toEqual([]);
    await page.context().close();
    styles = "'none'";
  });

  it('is not drawn for a malformed id or an id without a publication, and the site still works', async () => {
    markup = `${picture('picture', 'A'.repeat(24))}${picture('picture', '../../v1/log')}${picture('picture', id)}`;
    const { page, faults } = await openPage(browser, `${origin}/`);
    await badges(page).waitFor();
    expect(await badges(page).count()).toBe(1);
    expect(beyond(faults)).toEqual([]);
    await page.context().close();
  });
});
