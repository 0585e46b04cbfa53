import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ANY_ENGINE,
  KEY,
  OTHER_KEY,
  type Service,
  startService,
} from '../../../server/test/support/service.js';
import { findBarriers, keepPicture, LOOKS, openBrowser, openPage } from '../support/browser.js';

describe('the page', () => {
  let service: Service;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(ANY_ENGINE), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  it.each(LOOKS)('has no script errors or accessibility problems: $name', async ({ name, ...look }) => {
    const { page, faults } = await openPage(browser, service.base, look);
    await page.getByRole('heading', { level: 1, name: 'Check a file' }).waitFor();
    expect(page.url()).toBe(`${service.base}/app/`);
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, `shell-${name}`);
    const signIn = page.getByRole('banner').getByRole('link', { name: 'Sign in' });
    expect(await signIn.isVisible()).toBe(true);
    expect(await signIn.getAttribute('href')).toBe('/app/manage?next=%2F');
    if (name === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
    for (const place of ['navigation', 'contentinfo'] as const) {
      const guides = page.getByRole(place).getByRole('link', { name: 'Guides', exact: true });
      expect([place, await guides.isVisible()]).toEqual([place, true]);
      expect(await guides.getAttribute('href')).toBe('/docs#guides');
    }
    const reference = page.getByRole('contentinfo').getByRole('link', { name: 'API reference' });
    expect(await reference.getAttribute('href')).toBe('/docs#api');
    const opener = page.getByRole('button', { name: 'Enter a project key' });
    expect(await opener.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    await opener.click();
    await page.getByLabel('Project key').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, `shell-key-${name}`);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('starts in the preferred language of the browser, and then has the language that the user chooses', async () => {
    const look = { locale: 'de-DE', viewport: { width: 390, height: 844 } };
    const { page, faults } = await openPage(browser, `${service.base}/app/#key=${KEY}`, look);
    await page.getByRole('heading', { level: 1, name: 'Bibliothek' }).waitFor();
    await page.getByText('Diese Übersetzung ist maschinell erstellt und nicht geprüft.').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    for (const [path, heading] of [
      ['check', 'Datei prüfen'],
      ['record', 'Datei erfassen'],
      ['explore', 'Erkunden'],
      ['shares', 'Anteile'],
      ['links', 'Veröffentlichte Links'],
      ['manage', 'Anmelden'],
    ] as const) {
      await page.goto(`${service.base}/app/${path}`);
      await page.getByRole('heading', { name: heading }).first().waitFor();
      expect([path, await page.evaluate(() => document.documentElement.lang)]).toEqual([path, 'de']);
      const isWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      expect([path, isWide]).toEqual([path, false]);
    }
    await keepPicture(page, 'shell-german');
    await page.getByRole('button', { name: 'English' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sign in' }).first().waitFor();
    expect(page.url()).toBe(`${service.base}/app/manage`);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
    expect(await page.getByText('machine-made').count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it.each(['en', 'de', 'fr', 'es', 'it', 'pl'])('has its menu in one row: %s', async (locale) => {
    for (const [address, entries] of [
      [`#key=${KEY}`, 8],
      ['', 7],
    ] as const) {
      const { page, faults } = await openPage(browser, `${service.base}/app/${address}`, { locale });
      await page.getByRole('heading', { level: 1 }).waitFor();
      const tops = await page
        .locator('header nav li')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
      await keepPicture(page, `shell-menu-${locale}-${entries}`);
      expect([address, tops.length, new Set(tops).size]).toEqual([address, entries, 1]);
      expect(faults).toEqual([]);
      await page.context().close();
    }
  });

  it('changes the language without a loss of input or focus', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/record#key=${KEY}`, {
      locale: 'en',
    });
    const buffer = Buffer.from('a text');
    await page
      .getByLabel('Drop the file to record')
      .setInputFiles({ name: 'kept.txt', mimeType: 'text/plain', buffer });
    await page.getByLabel('Name', { exact: true }).fill('Ann');
    for (const [language, heading, code] of [
      ['Polski', 'Zapisz plik', 'pl'],
      ['Deutsch', 'Datei erfassen', 'de'],
      ['English', 'Record a file', 'en'],
    ] as const) {
      await page.getByRole('button', { name: language }).click();
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      expect(await page.getByRole('navigation').getByText(heading).count()).toBe(1);
      expect(
        await page.evaluate(() => [document.documentElement.lang, document.title.split(' · ')[0]]),
      ).toEqual([code, heading]);
      const inputs = await page
        .locator('main input')
        .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
      expect(inputs).toEqual(expect.arrayContaining(['Ann', 'kept.txt']));
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(language);
    }
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Record it' }).click();
    await page.getByRole('heading', { name: 'It is recorded.' }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('keeps its language when another language cannot be loaded, and reports this', async () => {
    const { page } = await openPage(browser, `${service.base}/app/check`, { locale: 'en' });
    await page.getByRole('heading', { level: 1, name: 'Check a file' }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Polski' }).click();
    await page.getByRole('status').getByText('Polski could not be loaded.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Check a file' }).waitFor();
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByText('Polski could not be loaded.').waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('has one row of navigation, and a menu on a phone', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/#key=${KEY}`);
    const links = page.getByRole('navigation').getByRole('link');
    await page.getByRole('heading', { level: 1, name: 'Library' }).waitFor();
    const tops = () => links.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    expect(new Set(await tops()).size).toBe(1);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('banner').isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await links.first().isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).click();
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'shell-menu-phone');
    for (const link of await links.all()) expect(await link.isVisible()).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await links.filter({ hasText: 'Credit split' }).click();
    await page.getByRole('heading', { level: 1, name: 'Credit split' }).waitFor();
    expect(await links.first().isVisible()).toBe(false);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('explains that a part could not be loaded without a network, and loads it later', async () => {
    const { page } = await openPage(browser, `${service.base}/app/#key=${KEY}`);
    await page.getByRole('heading', { level: 1, name: 'Library' }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('navigation').getByRole('link', { name: 'Manage' }).click();
    await page.getByText('This part of the page could not be loaded.').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.context().close();
  });

  it('rejects an unknown project key, accepts a valid one, and stores it only in the tab', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/`);
    await page.getByRole('button', { name: 'Enter a project key' }).click();
    await page.getByLabel('Project key').fill('pk_live_of-nobody');
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.getByText('does not know this key').waitFor();
    await page.getByLabel('Project key').fill(KEY);
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.getByRole('button', { name: 'Project key test-key-of' }).waitFor();
    const kept = await page.evaluate(() => [
      Object.values({ ...sessionStorage }),
      Object.values({ ...localStorage }),
      document.cookie,
    ]);
    expect(kept).toEqual([[KEY], [], '']);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('reads the key of the one-time link of the first start, and removes the key from the address', async () => {
    const token = service.context.firstKeyHandover.offer(KEY);
    const { page, faults } = await openPage(browser, `${service.base}/app/first/${token}`);
    await page.getByRole('button', { name: 'Project key test-key-of' }).waitFor();
    expect(page.url()).toBe(`${service.base}/app/`);
    const again = await fetch(`${service.base}/app/first/${token}`, { redirect: 'manual' });
    expect([again.status, again.headers.get('location')]).toEqual([302, '/app/']);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('reads a key from an address that the user enters on the loaded page', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/`);
    await page.getByRole('button', { name: 'Enter a project key' }).waitFor();
    await page.goto(`${service.base}/app/#key=${KEY}`);
    await page.getByRole('button', { name: 'Project key test-key-of' }).waitFor();
    expect(page.url()).toBe(`${service.base}/app/`);
    await page.goto(`${service.base}/app/#key=${OTHER_KEY}`);
    await expect.poll(() => page.evaluate(() => sessionStorage.getItem('colophon.key'))).toBe(OTHER_KEY);
    expect(page.url()).toBe(`${service.base}/app/`);
    await page.goBack();
    expect(await page.evaluate(() => window.location.href)).not.toContain('key=');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('has a page for unknown addresses, and cannot be framed', async () => {
    const answer = await fetch(`${service.base}/app/no/such/place`);
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const { page } = await openPage(browser, `${service.base}/app/no/such/place`);
    await page.getByRole('link', { name: 'Go to the start page' }).click();
    await page.getByRole('heading', { level: 1, name: 'Check a file' }).waitFor();
    await page.context().close();
  });

  it('is tested by code that detects accessibility problems, policy violations and foreign requests', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/`);
    await page.evaluate(() => {
      document.body.append(document.createElement('input'));
      const script = document.createElement('script');
      script.textContent = 'window.wasRun = true';
      document.body.append(script);
      const picture = document.createElement('img');
      picture.src = 'https://elsewhere.example/seen.png';
      document.body.append(picture);
    });
    expect(await findBarriers(page)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^label:/), expect.stringMatching(/^image-alt:/)]),
    );
    expect(faults.join('\n')).toMatch(/script-src|inline script/);
    expect(faults.join('\n')).toMatch(/elsewhere\.example/);
    expect(await page.evaluate('window.wasRun')).toBeUndefined();
    await page.context().close();
  });
});
