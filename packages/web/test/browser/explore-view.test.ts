import { createClient } from '@colophon/sdk';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANY_ENGINE, KEY, type Service, startService } from '../../../server/test/support/service.js';
import { findBarriers, keepPicture, openBrowser, openPage } from '../support/browser.js';
import { recordPoster } from '../support/record-history.js';

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
  const titleOf = (page: Page) => record(page).getByRole('heading', { level: 2 }).textContent();

  it('has an address with the selected node, and moves the focus to the record of the node and back', async () => {
    const { page, faults } = await open(poster);
    const combined = list(page).getByRole('button', { name: 'Combined' });
    await combined.click();
    const isActive = (element: HTMLElement | SVGElement) => element === document.activeElement;
    const isFocused = () => record(page).getByRole('heading', { level: 2 }).evaluate(isActive);
    await expect.poll(isFocused).toBe(true);
    expect(await record(page).getByRole('heading', { level: 2 }).isVisible()).toBe(true);
    const address = page.url();
    expect(address).toMatch(/\?step=act%3A/);
    await record(page).getByRole('button', { name: 'Ann of the studio' }).click();
    await expect.poll(() => titleOf(page)).toBe('Ann of the studio');
    await page.goBack();
    await expect.poll(() => titleOf(page)).toBe('Combined');
    await record(page).getByRole('button', { name: 'Close' }).click();
    await record(page).waitFor({ state: 'detached' });
    expect(await combined.evaluate(isActive)).toBe(true);
    expect(page.url()).not.toContain('step=');
    await page.goto(address);
    await expect.poll(() => titleOf(page)).toBe('Combined');
    await says(page, 'Recorded and unchanged.');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('shows at the lowest zoom levels which step is corrected', async () => {
    const entity = { id: 'studio:gil', role: 'human', name: 'Gil' } as const;
    const client = createClient({ url: service.base, apiKey: KEY });
    const { cid, actionId } = await client.file(new TextEncoder().encode('a corrected text'), { entity });
    const { page, faults } = await open(cid);
    await page.evaluate(recordStrokes);
    const zoomOut = page.getByRole('button', { name: 'Zoom out' });
    const isStruckAfter = async (clicks: number) => {
      for (let click = 0; click < clicks; click++) await zoomOut.click();
      return page.evaluate(hasStrike);
    };
    expect([await isStruckAfter(4), await isStruckAfter(20)]).toEqual([false, false]);
    const extensions = { 'ext:correction@1.0.0': { actionId } };
    await client.actions.record({ performedBy: entity.id, type: 'create', outputCids: [cid], extensions });
    await page.reload();
    await stage(page).waitFor();
    await page.evaluate(recordStrokes);
    const isStruck = [await isStruckAfter(2)];
    await keepPicture(page, 'explore-corrected-forms');
    isStruck.push(await isStruckAfter(2));
    await keepPicture(page, 'explore-corrected-afar');
    expect([...isStruck, await isStruckAfter(20)]).toEqual([true, true, true]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('scrolls with the plain wheel, and zooms with Ctrl and the wheel', async () => {
    const { page } = await open(poster);
    const picture = () =>
      stage(page)
        .locator('canvas')
        .evaluate((one) => (one as HTMLCanvasElement).toDataURL());
    await page.getByRole('button', { name: 'Show all' }).click();
    await stage(page).hover({ position: { x: 20, y: 40 } });
    await page.keyboard.down('Control');
    const before = await picture();
    await page.mouse.wheel(0, -300);
    await expect.poll(async () => (await picture()) === before).toBe(false);
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await page.keyboard.up('Control');
    await page.mouse.wheel(0, 200);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
    await page.context().close();
  });

  it('starts with a content id or with the newest content', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/explore#key=${KEY}`);
    await page.getByLabel('Content id of a file').fill('no content id');
    await page.getByRole('button', { name: 'Show its history' }).click();
    await says(page, 'This is not a content id.');
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'explore-start');
    await page.getByLabel('Content id of a file').fill(poster);
    await page.getByRole('button', { name: 'Show its history' }).click();
    await says(page, '13 things in the picture');
    await page.getByRole('link', { name: 'Choose another file' }).click();
    await page.getByRole('main').getByRole('listitem').getByRole('link').first().click();
    await stage(page).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('shows AI in the sources of a step without AI, beside the title, in the record and in the list', async () => {
    const client = createClient({ url: service.base, apiKey: KEY });
    const ann = { id: 'studio:ann', role: 'human', name: 'Ann of the studio' } as const;
    const aiTool = { provider: 'Acme', model: 'painter-7' };
    const bytes = (text: string) => new TextEncoder().encode(text);
    const drawn = await client.file(bytes('a drawing'), {
      entity: ann,
      action: { type: 'generate', aiTool },
    });
    const extensions = { 'ext:mark@1.0.0': { aiDisclosure: null, generator: { name: 'unknown' } } };
    const action = { type: 'transform', inputCids: [drawn.cid], extensions };
    const { cid } = await client.file(bytes('a retouched drawing'), { entity: ann, action });
    const { page, faults } = await open(cid);
    await page.locator('.explore-head').getByText('AI in sources', { exact: true }).waitFor();
    const stated = /^Made without AI by Ann of the studio, .* for this file, but not for its sources/;
    await list(page).getByText(stated).waitFor();
    await list(page).getByRole('button', { name: 'Edited' }).click();
    await record(page).getByText('AI in sources', { exact: true }).waitFor();
    await record(page)
      .getByText(/Made without AI by Ann of the studio, .* but not for its sources\./)
      .waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('starts with the whole history if its titles are legible, also when a link selects a step', async () => {
    const client = createClient({ url: service.base, apiKey: KEY });
    const entity = { id: 'studio:ann', role: 'human', name: 'Ann of the studio' } as const;
    let cid = '';
    for (let step = 0; step < 5; step++) {
      const action = cid === '' ? { type: 'create' } : { type: 'transform', inputCids: [cid] };
      ({ cid } = await client.file(new TextEncoder().encode(`step ${step}`), { entity, action }));
    }
    const { page, faults } = await open(cid, { viewport: { width: 2000, height: 900 } });
    const picture = () =>
      stage(page)
        .locator('canvas')
        .evaluate((one) => (one as HTMLCanvasElement).toDataURL());
    const expectWhole = async () => {
      const started = await picture();
      await page.getByRole('button', { name: 'Show all' }).click();
      await page.evaluate(() => new Promise(requestAnimationFrame));
      expect((await picture()) === started).toBe(true);
    };
    await says(page, '11 things in the picture');
    await keepPicture(page, 'explore-five-steps');
    await expectWhole();
    await list(page).getByRole('button', { name: 'Created' }).click();
    await says(page, 'Recorded and unchanged.');
    await page.reload();
    await says(page, 'Recorded and unchanged.');
    await expectWhole();
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

type Recording = typeof globalThis & { strokes: string[] };

/** Records the colours of lines that are about 2 pixels wide on the screen. */
function recordStrokes(): void {
  const recording = globalThis as Recording;
  recording.strokes = [];
  const { stroke } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.stroke = function (...path: [path?: Path2D]) {
    const width = this.lineWidth * this.getTransform().a;
    if (width > 1.5 && width < 2.5) recording.strokes.push(String(this.strokeStyle));
    stroke.apply(this, path as [Path2D]);
  };
}

/** Draws the picture again. Corrected steps have a colour of their own. */
async function hasStrike(): Promise<boolean> {
  const recording = globalThis as Recording;
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await nextFrame();
  recording.strokes.length = 0;
  document.querySelector<HTMLButtonElement>('.view-buttons button:nth-last-child(2)')?.click();
  await nextFrame();
  await nextFrame();
  const probe = document.createElement('canvas').getContext('2d');
  document.body.style.outlineColor = 'var(--ink-soft)';
  if (probe !== null) probe.strokeStyle = getComputedStyle(document.body).outlineColor;
  return recording.strokes.includes(String(probe?.strokeStyle));
}
