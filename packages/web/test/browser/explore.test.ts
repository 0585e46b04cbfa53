import { readFile } from 'node:fs/promises';
import { type Receipt, toProvJson } from '@colophon/model';
import { createClient } from '@colophon/sdk';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordGrown } from '../../../../bench/support/grown-history.mjs';
import { ANY_ENGINE, KEY, type Service, startService } from '../../../server/test/support/service.js';
import { findBarriers, keepPicture, LOOKS, openBrowser, openPage } from '../support/browser.js';
import { NOTE, PROMPT, recordPoster } from '../support/record-history.js';

describe('the picture of a history', () => {
  let service: Service;
  let browser: Browser;
  let poster: string;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(ANY_ENGINE), openBrowser()]);
    poster = await recordPoster(service);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const open = async (cid: string, options = {}) => {
    const opened = await openPage(browser, `${service.base}/app/explore/${cid}#key=${KEY}`, options);
    await stage(opened.page).waitFor();
    return opened;
  };
  const stage = (page: Page) => page.getByRole('application', { name: 'Picture of the history' });
  const record = (page: Page) => page.getByRole('complementary', { name: 'Record' });
  const list = (page: Page) => page.locator('.outline');
  const says = (page: Page, text: string) => page.getByText(text).first().waitFor();
  const openMenu = (page: Page, name: string) => page.locator('summary', { hasText: name }).click();
  const titleOf = (page: Page) => record(page).getByRole('heading', { level: 2 }).textContent();

  it.each(LOOKS)('has no script errors or accessibility problems: $name', async ({ name, ...look }) => {
    const { page, faults } = await open(poster, look);
    await says(page, '13 things in the picture');
    await says(page, 'The page makes no marked copy, because AI was used only for the sources of this file.');
    await keepPicture(page, `explore-12-${name}`);
    const [picture, width, height] = [
      await stage(page).boundingBox(),
      await page.evaluate(() => document.documentElement.scrollWidth),
      page.viewportSize()?.height ?? 0,
    ];
    expect(width).toBe(page.viewportSize()?.width);
    expect(picture?.y).toBeLessThan(height * 0.4);
    expect((picture?.y ?? 0) + (picture?.height ?? 0)).toBeLessThanOrEqual(height);
    expect(picture?.height).toBeGreaterThan(height * 0.45);
    await openMenu(page, 'Filter');
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, `explore-filter-${name}`);
    await page.keyboard.press('Escape');
    await list(page).getByRole('button', { name: 'Generated' }).first().click();
    await says(page, 'Recorded and unchanged.');
    const prompt = record(page).getByText(PROMPT, { exact: true });
    expect(await prompt.isVisible()).toBe(false);
    await record(page).getByText('A harbour at dawn with').first().click();
    await prompt.waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, `explore-record-${name}`);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('shows the facts of a record across its whole width, also after a visit to the form for recordings', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/record#key=${KEY}`);
    await page.getByLabel('Drop the file to record').waitFor({ state: 'attached' });
    await page.evaluate((path) => {
      window.history.pushState(null, '', path);
      window.dispatchEvent(new PopStateEvent('popstate'));
    }, `/app/explore/${poster}`);
    await stage(page).waitFor();
    await list(page).getByRole('button', { name: 'Image' }).first().click();
    await says(page, 'Recorded and unchanged.');
    const [whole, facts] = [
      await record(page).boundingBox(),
      await record(page).locator('.facts').boundingBox(),
    ];
    expect(facts?.width).toBeGreaterThan(0.8 * (whole?.width ?? Number.POSITIVE_INFINITY));
    await keepPicture(page, 'explore-after-record');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('shows the maker and the licence of a file', async () => {
    const action = { type: 'create', extensions: { 'ext:license@1.0.0': { type: 'CC-BY-4.0' } } };
    const sent = await service.upload('licensed', { entity: { role: 'human', name: 'Ann' }, action });
    const { page, faults } = await open((await sent.json()).cid);
    await list(page).getByRole('listitem').filter({ hasText: 'result' }).last().getByRole('button').click();
    const fact = (name: string) => record(page).getByRole('term').filter({ hasText: name }).locator('+ dd');
    await fact('Licence').filter({ hasText: 'CC-BY-4.0' }).waitFor();
    await fact('By').filter({ hasText: 'Ann' }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it.each([
    ['nonsense', KEY, 'The address of this page has no valid content id'],
    [`sha256:${'0'.repeat(64)}`, KEY, 'This content is not recorded in your project.'],
    ['nonsense', 'a-key-of-before', 'The service rejects the project key.'],
  ])('shows the reason when it cannot be drawn, for content %s and key %s', async (cid, key, text) => {
    const { page } = await openPage(browser, `${service.base}/app/explore/${cid}#key=${key}`);
    await says(page, text);
    await page.getByRole('button', { name: 'Publish …' }).waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('lets the user select nodes by arrow keys, by pointer and in the record', async () => {
    const { page, faults } = await open(poster);
    await stage(page).focus();
    await page.keyboard.press('ArrowLeft');
    expect(await titleOf(page)).toBe('Image');
    await record(page).getByText('A recorded step made it.').waitFor();
    await record(page).getByText('AI in sources', { exact: true }).waitFor();
    await record(page).getByText('Its record states this.').waitFor();
    await page.keyboard.press('ArrowLeft');
    expect(await titleOf(page)).toBe('Combined');
    await record(page).getByText(NOTE, { exact: true }).waitFor();
    await list(page).getByText(`Note: ${NOTE}`).waitFor();
    await page.keyboard.press('Escape');
    await record(page).waitFor({ state: 'detached' });
    await page.mouse.move(0, 0);
    await stage(page).click();
    expect(await titleOf(page)).toBe('Combined');
    await record(page).getByRole('button', { name: 'Ann of the studio' }).click();
    expect(await titleOf(page)).toBe('Ann of the studio');
    await says(page, 'Recorded and unchanged.');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('gives a content a title, and names the content by it', async () => {
    const { page, faults } = await open(poster);
    await stage(page).focus();
    await page.keyboard.press('ArrowLeft');
    await record(page).getByText('Give it a title').click();
    await record(page).getByLabel('Title').fill('Harbour festival');
    expect(await findBarriers(page)).toEqual([]);
    await record(page).getByRole('button', { name: 'Save the title' }).click();
    await expect.poll(() => titleOf(page)).toBe('Harbour festival');
    await list(page).getByRole('button', { name: 'Harbour festival' }).first().waitFor();
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await list(page).getByRole('button', { name: 'Kombiniert' }).first().waitFor();
    await page.getByRole('link', { name: /^Berichtigen: Kombiniert/ }).waitFor();
    await page.getByRole('button', { name: 'English' }).click();
    await list(page).getByRole('button', { name: 'Combined' }).first().waitFor();
    const client = createClient({ url: service.base, apiKey: KEY });
    expect((await client.resources.get(poster)).title).toBe('Harbour festival');
    await page.reload();
    await page.getByLabel('Search').fill('festival');
    await says(page, '1 found');
    await client.resources.update(poster, { title: null });
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('starts with the newest contents, and loads their thumbnails without a change of the layout', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/explore#key=${KEY}`);
    const boxes = page.getByRole('main').locator('.thumbnail');
    await boxes.nth(4).waitFor();
    const placeOf = () => Promise.all([0, 4].map((at) => boxes.nth(at).boundingBox()));
    const before = await placeOf();
    const pictures = boxes.locator('img');
    await pictures.nth(4).waitFor();
    const widthOf = (image: HTMLElement | SVGElement) => (image as HTMLImageElement).naturalWidth;
    await expect.poll(() => pictures.first().evaluate(widthOf)).toBe(256);
    expect(await pictures.first().getAttribute('alt')).toMatch(/…\w{8}$/);
    expect(await placeOf()).toEqual(before);
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'explore-newest');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('draws thumbnails of the contents, each fetched once', async () => {
    // This test counts the requests for thumbnails, so it begins on a page without them.
    const { page } = await openPage(browser, `${service.base}/app/manage#key=${KEY}`);
    await page.getByRole('button', { name: 'Project key test-key-of' }).waitFor();
    const fetched: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/thumbnail')) fetched.push(request.url());
    });
    await page.goto(`${service.base}/app/explore/${poster}`);
    await page.getByRole('button', { name: 'Show all' }).click();
    await list(page).getByRole('button', { name: 'Created' }).click();
    await expect.poll(() => fetched.length, { timeout: 30_000 }).toBe(5);
    await record(page).getByRole('button', { name: 'Image' }).first().click();
    await record(page).locator('.thumbnail img').waitFor();
    expect(new Set(fetched).size).toBe(fetched.length);
    await page.context().close();
  });

  it('supports search, filters and folding', async () => {
    const { page, faults } = await open(poster);
    await page.getByLabel('Search').fill('bo lind');
    await says(page, '3 found');
    await page.keyboard.press('Enter');
    await says(page, '1 of 3 found');
    await openMenu(page, 'Filter');
    await page.getByLabel('By whom').selectOption('Bo Lind');
    await says(page, '6 things match the filter.');
    await says(page, 'Steps 1 to 2 of 2, oldest first');
    await page.getByLabel('Show matches only').check();
    await says(page, '7 things in the picture');
    await page.getByLabel('By whom').selectOption('Everybody');
    await says(page, '13 things in the picture');
    await page.getByLabel('Depth').selectOption('The nearest 1');
    await says(page, '6 things in the picture');
    await page.getByLabel('Depth').selectOption('All');
    await says(page, '13 things in the picture');
    await page.keyboard.press('Escape');
    await list(page).getByRole('button', { name: 'Combined' }).click();
    await record(page).getByRole('button', { name: 'Image' }).nth(1).click();
    await record(page).getByRole('button', { name: 'Fold the steps behind it' }).click();
    await says(page, 'things in the picture');
    await record(page).getByRole('button', { name: 'Unfold the steps behind it' }).click();
    await says(page, '13 things in the picture');
    expect(await findBarriers(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('reports that a receipt is invalid if it was changed on its way', async () => {
    const { page } = await open(poster);
    await page.route('**/v1/action/*/receipt', async (route) => {
      const receipt = (await (await route.fetch()).json()) as Receipt;
      await route.fulfill({
        json: { ...receipt, record: { ...receipt.record, body: { ...receipt.record.body, type: 'create' } } },
      });
    });
    await list(page).getByRole('button', { name: 'Combined' }).click();
    await says(page, 'The receipt is not valid.');
    await says(page, 'the record was changed');
    await page.context().close();
  });

  it('is saved as PNG, SVG and PROV-JSON', async () => {
    const { page, faults } = await open(poster);
    await list(page).getByRole('button', { name: 'Created' }).click();
    const save = async (name: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name }).click(),
      ]);
      return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
    };
    await record(page).getByRole('button', { name: 'Image' }).first().click();
    await record(page).locator('.thumbnail img').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await openMenu(page, 'Save');
    const png = await save('Picture (PNG)');
    expect(png.bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    expect(png.bytes.readUInt32BE(16)).toBeGreaterThan(2000);
    const pictures = /href="data:image\/png;base64,[^"]+"/g;
    let svg = '';
    await expect
      .poll(async () => {
        svg = (await save('Drawing (SVG)')).bytes.toString();
        return svg.match(pictures)?.length;
      })
      .toBe(5);
    expect(svg.match(/>(Created|Imported|Edited|Generated|Combined)</g)).toHaveLength(5);
    expect(/NaN|undefined|href=/.exec(svg.replace(pictures, ''))).toBeNull();
    const prov = await save('Data (PROV-JSON)');
    expect(prov.name).toMatch(/^history-.*\.prov\.json$/);
    const bundle = await createClient({ url: service.base, apiKey: KEY }).histories.bundle(poster);
    expect(JSON.parse(prov.bytes.toString())).toEqual(JSON.parse(JSON.stringify(toProvJson(bundle))));
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('reports a partial history, and loads the rest on request', async () => {
    const cid = await recordGrown({ base: service.base, key: KEY }, 620);
    const { page, faults } = await open(cid);
    await says(page, 'This is a part of the history: the 500 nearest steps.');
    await keepPicture(page, 'explore-partial');
    await page.getByRole('button', { name: 'Show more' }).click();
    await says(page, '1,251 things in the picture');
    expect(await page.getByText('This is a part').count()).toBe(0);
    await says(page, 'cards are groups');
    await keepPicture(page, 'explore-groups');
    await page.getByLabel('Search').fill('reference emre');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Close all groups' }).waitFor();
    await expect.poll(() => titleOf(page)).toMatch(/^Imported/);
    await page.getByRole('button', { name: 'Close all groups' }).click();
    await page.getByRole('button', { name: 'Close all groups' }).waitFor({ state: 'detached' });
    await record(page).getByRole('button', { name: 'Close' }).click();
    await stage(page).focus();
    const isAtGroup = () => record(page).getByRole('button', { name: 'Open this group' }).isVisible();
    for (let step = 0; step < 12 && !(await isAtGroup()); step++) await page.keyboard.press('ArrowLeft');
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Close all groups' }).waitFor();
    await openMenu(page, 'Filter');
    await page.getByLabel('Group similar steps').uncheck();
    await expect.poll(() => page.getByText('cards are groups').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Show all' }).click();
    await keepPicture(page, 'explore-1250');
    expect(await findBarriers(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
