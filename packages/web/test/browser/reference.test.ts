import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANY_ENGINE, type Service, startService } from '../../../server/test/support/service.js';
import { findBarriers, keepPicture, LOOKS, openBrowser, openPage } from '../support/browser.js';

describe('the API reference', () => {
  let service: Service;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(ANY_ENGINE), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  it.each(LOOKS)(
    'has no accessibility problems or policy violations, and fits the width of the screen: $name',
    async ({ name, ...look }) => {
      const { page, faults } = await openPage(browser, `${service.base}/docs`, look);
      for (const path of ['', '/media', '/guides/webhooks', '/records', '/schemas']) {
        if (path !== '') await page.goto(`${service.base}/docs${path}`);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect([path, Math.max(0, over)]).toEqual([path, 0]);
        // The longest pages have the same elements, and their check takes many seconds.
        if (!/records|schemas/.test(path)) expect([path, await findBarriers(page)]).toEqual([path, []]);
        if (path === '/records') await keepPicture(page, `reference-${name}`);
      }
      const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(paper).toBe(look.colorScheme === 'dark' ? 'rgb(21, 25, 26)' : 'rgb(250, 248, 244)');
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );

  it('shows the examples in the chosen language, on each later page too, and copies them', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/docs/records#getEntity`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const sample = page.locator('#getEntity .sample:visible');
    expect(await sample.locator('figcaption').allTextContents()).toEqual([expect.stringMatching(/^curl/)]);
    const placeOf = () => page.locator('#getContent').evaluate((one) => one.getBoundingClientRect().top);
    await page.goto(`${service.base}/docs/records#getContent`);
    const before = await placeOf();
    await page.getByText('Python', { exact: true }).first().click();
    expect(Math.abs((await placeOf()) - before)).toBeLessThan(2);
    expect(await sample.locator('figcaption').allTextContents()).toEqual([expect.stringMatching(/^Python/)]);
    const copy = sample.getByRole('button', { name: 'Copy the Python example: Get an entity' });
    await copy.click();
    await copy.click();
    await sample.getByText('Copied', { exact: true }).waitFor();
    expect(await page.getByRole('status').textContent()).toBe('Copied');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/^import json\n[\s\S]*\/v1\/entity\/studio:ann/);
    await sample.getByText('Copy', { exact: true }).waitFor();
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await copy.click();
    await sample.getByText('Cannot copy: select the text', { exact: true }).waitFor();
    await page.goto(`${service.base}/docs/log`);
    expect(await page.locator('#language-python').isChecked()).toBe(true);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('filters the operations, and follows the theme of the page', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/`);
    await page.evaluate(() => localStorage.setItem('colophon.theme', 'dark'));
    await page.goto(`${service.base}/docs`);
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
      'rgb(21, 25, 26)',
    );
    await page.getByLabel('Filter').fill('get receipt');
    await page.getByText('3 operations', { exact: true }).waitFor();
    expect(await page.locator('.group:visible h3').allTextContents()).toEqual(['Transparency log']);
    await page.getByLabel('Filter').fill('get receipt action');
    await page.getByText('1 operation', { exact: true }).waitFor();
    await page.locator('.listed li:visible a').first().click();
    await page.waitForURL(`${service.base}/docs/log#getActionReceipt`);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('is readable without scripts', async () => {
    const { page } = await openPage(browser, `${service.base}/docs/records`, { javaScriptEnabled: false });
    await page.locator('label[for="language-typescript"]').click();
    expect(await page.locator('#getEntity .sample:visible figcaption').allTextContents()).toEqual([
      expect.stringMatching(/^TypeScript/),
    ]);
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
    await page.context().close();
  });
});
