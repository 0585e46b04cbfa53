import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANY_ENGINE, jsonPost, type Service, startService } from '../../../server/test/support/service.js';
import { findBarriers, keepPicture, LOOKS, openBrowser, openPage } from '../support/browser.js';
import { makePhoto } from '../support/photo.js';

describe('the words of a published page', () => {
  let service: Service;
  let browser: Browser;
  let path: string;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(ANY_ENGINE), openBrowser()]);
    const recorded = await service.upload(await makePhoto(), {
      entity: { role: 'human', name: 'Ann Quill' },
      action: {
        type: 'transform',
        aiTool: { provider: 'Acme', model: 'fill-1' },
        extensions: { 'ext:shoot@1.0.0': { camera: { maker: 'Acme', flash: false }, tags: ['sea', 'dawn'] } },
      },
      resourceType: 'image',
    });
    const terms = { cid: (await recorded.json()).cid, picture: true, withhold: [] };
    ({ path } = await (await service.send('/v1/publications', jsonPost(terms))).json());
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  it.each(LOOKS)(
    'state the AI level once beside the picture, explain its icon, and list other data in a table: $name',
    async (look) => {
      const { name, ...options } = look;
      const { page, faults } = await openPage(browser, service.base + path, options);
      await page.getByRole('img', { name: 'AI MODIFIED', exact: true }).waitFor();
      expect(await page.locator('.ai-label > span').allTextContents()).toEqual([
        'AI-edited',
        'Its record states this.',
        'The icon on the picture has the EU words for this level.',
      ]);

      await page.getByText('More that was recorded').click();
      const table = page.getByRole('table', { name: 'More that was recorded' });
      const rows = await table.getByRole('row').allTextContents();
      const own = rows.slice(rows.indexOf('shoot'));
      expect(own).toEqual(['shoot', 'tagssea, dawn', 'camera', 'flashfalse', 'makerAcme']);
      const lefts = await table
        .locator('th > span')
        .evaluateAll((all) => all.map((one) => Number.parseFloat(getComputedStyle(one).paddingInlineStart)));
      const [shoot = 0, tags = 0, camera = 0, flash = 0] = lefts.slice(-own.length);
      expect([shoot, tags, flash]).toEqual([0, camera, 2 * camera]);
      expect(camera).toBeGreaterThan(0);
      const json = page.getByText('"ext:shoot@1.0.0"');
      expect(await json.isVisible()).toBe(false);
      await page.getByText('Show as JSON').click();
      await json.waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
      expect(await findBarriers(page)).toEqual([]);
      await keepPicture(page, `public-words-${name}`);
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );

  it('are also in the embed code in the language of the page', async () => {
    const { page, faults } = await openPage(browser, service.base + path, { locale: 'de-DE' });
    await page.getByText('Auf Ihrer eigenen Website zeigen').click();
    const code = page.locator('code', { hasText: '<figcaption' });
    await code.waitFor();
    expect(await code.textContent()).toContain(
      `<figcaption lang="de">Mit KI bearbeitet. <a href="${service.base}${path}">Herkunft dieses Bildes</a>`,
    );
    await page.getByText('Mit KI bearbeitet: Kennzeichen AI MODIFIED', { exact: true }).waitFor();
    expect(await code.textContent()).toContain('alt="Beschreiben Sie hier das Bild"');
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
