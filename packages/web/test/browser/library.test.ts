import { createClient } from '@colophon/sdk';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ANY_ENGINE,
  KEY,
  OTHER_KEY,
  type Service,
  startService,
} from '../../../server/test/support/service.js';
import { findBarriers, keepPicture, LOOKS, openBrowser, openPage } from '../support/browser.js';

const DRAFTS = 26;

describe('the library', () => {
  let service: Service;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(ANY_ENGINE), openBrowser()]);
    const client = createClient({ url: service.base, apiKey: KEY });
    const ann = { id: 'studio:ann', role: 'human', name: 'Ann Lee' } as const;
    const file = (text: string, title: string, action: object = { type: 'create' }, entity: object = ann) =>
      client.file(new TextEncoder().encode(text), { entity, action, title } as never);
    const withoutAi = { 'ext:mark@1.0.0': { aiDisclosure: null, generator: { name: 'unknown' } } };
    const first = await file('draft 0', 'Draft 0');
    for (let n = 1; n < DRAFTS; n++) {
      const extensions = n < DRAFTS - 2 ? {} : withoutAi;
      const inputCids = n === DRAFTS - 2 ? [first.cid] : [];
      await file(`draft ${n}`, `Draft ${n}`, { type: 'create', inputCids, extensions });
    }
    const aiTool = { provider: 'Acme', model: 'painter-7' };
    await file('night', 'Harbour at night', { type: 'generate', aiTool });
    const { cid } = await file(
      'poster',
      'Harbour poster',
      { type: 'create' },
      { id: 'studio:bo', role: 'human', name: 'Bo' },
    );
    await client.publications.create({ cid, title: 'Festival poster' });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const cards = (page: Page) => page.locator('.content-card');
  const titles = (page: Page) => page.locator('.content-title').allTextContents();
  const shows = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor();

  it.each(LOOKS)('is the home of a user with a project: $name', async ({ name, ...look }) => {
    const { page, faults } = await openPage(browser, `${service.base}/app/#key=${KEY}`, look);
    await page.getByRole('heading', { level: 1, name: 'Library' }).waitFor();
    await shows(page, '24 files shown, there are more');
    await page.getByRole('link', { name: 'Festival poster' }).waitFor();
    expect(await cards(page).first().textContent()).toMatch(
      /Harbour poster.*by Bo.*No AI recorded.*Published/,
    );
    expect(await cards(page).first().locator('time').textContent()).toMatch(/\d{4} at \d\d:\d\d$/);
    expect(await page.locator('time:not([title])').count()).toBe(0);
    expect(await cards(page).nth(1).textContent()).toMatch(
      /Harbour at night.*with Acme painter-7.*AI-generated.*Its record states this\./,
    );
    const labels = cards(page).nth(1).locator('.content-labels');
    expect(await labels.locator('> *').allTextContents()).toEqual([
      'AI-generated',
      'Its record states this.',
    ]);
    expect(await cards(page).nth(2).textContent()).toMatch(
      /Draft 25.*Made without AI, as its record states$/,
    );
    // The list does not read the sources, so its label covers only the step.
    const step = cards(page).nth(3);
    expect(await step.textContent()).toMatch(
      /Draft 24.*No AI in this step\. Sources not checked\..*whether its sources have AI$/,
    );
    const cid = (await step.locator('.content-title').getAttribute('href'))?.split('/').at(-1);
    const more = step.getByRole('link', { name: 'See in its history whether its sources have AI' });
    expect(await more.getAttribute('href')).toBe(`/app/explore/${cid}`);
    expect(await findBarriers(page)).toEqual([]);
    const isTooWide = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    expect(isTooWide).toBe(false);
    await keepPicture(page, `library-${name}`);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('searches titles, applies filters, and restores both from its address after a reload and Back', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/#key=${KEY}`);
    await page.getByLabel('Search titles').fill('harb');
    await shows(page, '2 files shown');
    await page.getByLabel('AI', { exact: true }).selectOption({ label: 'AI-generated' });
    await shows(page, '1 file shown');
    expect(await titles(page)).toEqual(['Harbour at night']);
    expect(new URL(page.url()).search).toBe('?title=harb&ai=generated');
    await page.reload();
    await shows(page, '1 file shown');
    await page.goBack();
    await shows(page, '2 files shown');
    await page.goBack();
    await shows(page, '24 files shown, there are more');
    expect(await page.getByLabel('Search titles').inputValue()).toBe('');
    // The filter also finds files whose sources can have AI.
    const withoutAi = { label: 'Last step without AI, as its record states' };
    await page.getByLabel('AI', { exact: true }).selectOption(withoutAi);
    await shows(page, '2 files shown');
    await page.goBack();
    await shows(page, '24 files shown, there are more');
    await page.getByLabel('Maker', { exact: true }).selectOption({ label: 'Bo' });
    await shows(page, '1 file shown');
    await page.getByLabel('AI', { exact: true }).selectOption({ label: 'AI-edited' });
    await shows(page, 'No file matches.');
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await shows(page, '24 files shown, there are more');
    expect(page.url()).toBe(`${service.base}/app/`);
    await page.getByLabel('Recorded from').fill('2099-01-01');
    await shows(page, 'No file matches.');
    expect(await page.getByText('The search covers the titles of files').count()).toBe(0);
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await page.getByLabel('Search titles').fill('!?');
    await shows(page, 'The search text has no letter and no digit, so it has no effect.');
    await shows(page, '24 files shown, there are more');
    await page.getByLabel('Search titles').fill('fest post');
    await page.getByText('it also covers the headlines of the newest published links').waitFor();
    const files = page.getByRole('region', { name: 'Files' });
    await files.getByRole('link', { name: 'Festival poster' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('keeps a filter that is chosen, or cleared, while a search waits for a pause in typing', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/#key=${KEY}`);
    await page
      .getByLabel('Maker', { exact: true })
      .locator('option[value="studio:bo"]')
      .waitFor({ state: 'attached' });
    // The clock stands still, so that the pause is not over before the choice.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.getByLabel('Search titles').fill('harb');
    await page.getByLabel('Maker', { exact: true }).selectOption({ label: 'Bo' });
    await page.clock.runFor(1000);
    await shows(page, '1 file shown');
    expect(new URL(page.url()).search).toBe('?title=harb&maker=studio%3Abo');
    await page.getByLabel('Search titles').fill('');
    await page.getByLabel('AI', { exact: true }).selectOption({ label: 'AI-generated' });
    await page.clock.runFor(1000);
    await shows(page, 'No file matches.');
    expect(new URL(page.url()).search).toBe('?maker=studio%3Abo&ai=generated');
    await page.getByLabel('Search titles').fill('night');
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await page.clock.runFor(1000);
    await shows(page, '24 files shown, there are more');
    expect(new URL(page.url()).search).toBe('');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('loads further pages, and opens the history of a file', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/#key=${KEY}`);
    await page.getByRole('button', { name: 'Load more' }).click();
    await shows(page, `${DRAFTS + 2} files shown`);
    expect(new Set(await titles(page)).size).toBe(DRAFTS + 2);
    expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Draft 0', exact: true }).click();
    const picture = page.getByRole('application', { name: 'Picture of the history' });
    // The styles of other parts of the page do not change the picture.
    const opened = await picture.boundingBox();
    await page.reload();
    expect(await picture.boundingBox()).toEqual(opened);
    expect(opened?.height).toBeGreaterThan(600);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it.each([
    ['explore', 'Picture of the history', 'application'],
    ['shares', /^Bar of the credit split/, 'img'],
  ] as const)('is the start of the view %s, and opens a file there', async (part, name, role) => {
    const { page, faults } = await openPage(browser, `${service.base}/app/${part}#key=${KEY}`);
    await page.getByLabel('Search titles').fill('poster');
    await page.getByRole('link', { name: 'Harbour poster' }).click();
    await page.getByRole(role, { name }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('says how to begin in an empty project, and leads to `Check a file`', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/#key=${OTHER_KEY}`);
    await page.getByText('Nothing is recorded in this project yet', { exact: true }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('main').getByRole('link', { name: 'Check a file' }).click();
    await page.getByRole('heading', { level: 1, name: 'Check a file' }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
