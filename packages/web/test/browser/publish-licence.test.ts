import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ANY_ENGINE,
  jsonPost,
  KEY,
  type Service,
  startService,
} from '../../../server/test/support/service.js';
import { findBarriers, holdRequests, keepPicture, openBrowser, openPage } from '../support/browser.js';

describe('a published history', () => {
  let service: Service;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(ANY_ENGINE), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  it('is published with its licence, because the box is ticked at first, and the browser verifies it', async () => {
    const more = { action: { type: 'create', extensions: { 'ext:license@1.0.0': { type: 'CC-BY-4.0' } } } };
    const sent = await service.upload('licensed', { entity: { role: 'human', name: 'Ann Quill' }, ...more });
    const licensed = (await sent.json()).cid;
    const { page, faults } = await openPage(browser, `${service.base}/app/#key=${KEY}`);
    await page.goto(`${service.base}/app/explore/${licensed}`);
    const open = page.getByRole('button', { name: 'Publish …' });
    await open.waitFor();
    const send = await holdRequests(page, '**/v1/bundle/**');
    await open.click();
    const submit = page.getByRole('button', { name: 'Publish', exact: true });
    await submit.waitFor();
    expect(await submit.isDisabled()).toBe(true);
    send();
    const box = page.getByRole('checkbox', { name: 'Licence, with its terms and its web address' });
    await page.getByText('This file has the licence CC-BY-4.0. The box is ticked at first').waitFor();
    expect(await box.isChecked()).toBe(true);
    await page.getByText('This history has no other data.').waitFor();
    const unverifiable = page.getByText('Readers cannot verify this history.');
    expect(await unverifiable.count()).toBe(0);
    await keepPicture(page, 'publish-licence');
    await box.uncheck();
    await page.getByText('The licence is left out: CC-BY-4.0').waitFor();
    await unverifiable.waitFor();
    expect(await findBarriers(page)).toEqual([]);
    const show = page.getByRole('button', { name: 'Show the licence' });
    await show.scrollIntoViewIfNeeded();
    await keepPicture(page, 'publish-without-licence');
    await show.click();
    expect(await box.isChecked()).toBe(true);
    expect(await box.evaluate((input) => input === document.activeElement)).toBe(true);
    await unverifiable.waitFor({ state: 'detached' });
    expect(await page.getByText('The licence is left out').count()).toBe(0);
    await submit.click();
    const link = page.getByRole('link', { name: 'View', exact: true });
    const shown = (await link.getAttribute('href'))?.replace('/app/p/', '/app/api/public/') ?? '';
    expect(await (await fetch(shown)).json()).toMatchObject({
      withheld: ['wallets', 'metadata', 'notes', 'prompts', 'details'],
      license: true,
      provable: true,
    });
    await page.goto(shown.replace('/app/api/public/', '/app/p/'));
    const terms = page.getByRole('term').filter({ hasText: /^Licence$/ });
    await terms.locator('+ dd', { hasText: 'CC-BY-4.0' }).waitFor();
    await page.getByText(/Verified in your browser: \d+ records/).waitFor();
    await keepPicture(page, 'public-licence');
    await page.getByRole('button', { name: 'Certificate to print …' }).click();
    await page.getByRole('region', { name: 'Certificate' }).getByText('CC-BY-4.0').waitFor();
    await keepPicture(page, 'certificate-licence');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('shows no licence unless the box is ticked, and the box is not ticked without a recorded licence', async () => {
    const unlicensed = await service.upload('unlicensed', { entity: { role: 'human', name: 'Ann Quill' } });
    const { cid } = await unlicensed.json();
    const { page, faults } = await openPage(browser, `${service.base}/app/explore/${cid}#key=${KEY}`);
    await page.getByRole('button', { name: 'Publish …' }).click();
    await page.getByText('This history has no licence.').waitFor();
    expect(await page.getByRole('checkbox', { name: 'Licence, with its terms' }).isChecked()).toBe(false);

    const action = { type: 'create', extensions: { 'ext:license@1.0.0': { type: 'CC-BY-4.0' } } };
    const licensed = await service.upload('withheld', {
      entity: { role: 'human', name: 'Ann Quill' },
      action,
    });
    const terms = page.getByRole('term').filter({ hasText: /^Licence$/ });
    const open = async (choice: object) => {
      const body = jsonPost({ cid: (await licensed.clone().json()).cid, ...choice });
      const { id } = await (await service.send('/v1/publications', body)).json();
      await page.goto(`${service.base}/app/p/${id}`);
      await page
        .getByRole('term')
        .filter({ hasText: /^Published$/ })
        .waitFor();
      return terms.count();
    };
    expect(await open({})).toBe(0);
    expect(await open({ license: true })).toBe(1);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('has the whole licence when all data is shown, so the box is ticked and cannot be unticked', async () => {
    const granted = { type: 'CC-BY-4.0', grantedBy: 'studio:ann' };
    const action = { type: 'create', extensions: { 'ext:license@1.0.0': granted } };
    const sent = await service.upload('granted', { entity: { id: 'studio:ann', role: 'human' }, action });
    const { cid } = await sent.json();
    const { page, faults } = await openPage(browser, `${service.base}/app/explore/${cid}#key=${KEY}`);
    await page.getByRole('button', { name: 'Publish …' }).click();
    const box = page.getByRole('checkbox', { name: 'Licence, with its terms' });
    const partly = page.getByText('A licence appears without the person who grants it');
    await partly.waitFor();
    await box.uncheck();
    for (const name of [
      'Notes',
      'Prompts',
      'Other data about people',
      'Payment addresses',
      'Other data, such as',
    ])
      await page.getByRole('checkbox', { name }).check();
    await page.getByText('You show all data, so each licence appears with all its data').waitFor();
    expect([await box.isChecked(), await box.isDisabled(), await partly.count()]).toEqual([true, true, 0]);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    const link = page.getByRole('link', { name: 'View', exact: true });
    const shown = (await link.getAttribute('href'))?.replace('/app/p/', '/app/api/public/') ?? '';
    const history = await (await fetch(new URL(shown, service.base))).json();
    expect(history).toMatchObject({ withheld: [], license: true, provable: true });
    expect(JSON.stringify(history)).toContain('grantedBy');
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
