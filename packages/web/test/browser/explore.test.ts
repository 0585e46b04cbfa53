import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEY, type Service, startService } from '../../../server/test/support/service.js';
import { findBarriers, keepPicture, LOOKS, openBrowser, openPage } from '../support/browser.js';
import { recordPoster } from '../support/record-history.js';

describe('the picture of a history', () => {
  let service: Service;
  let browser: Browser;
  let poster: string;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService('PGlite in memory'), openBrowser()]);
    poster = await recordPoster(service);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const open = async (cid: string, options = {}) => {
    const opened = await openPage(browser, `${service.base}/app/explore/${cid}#key=${KEY}`, options);
    await opened.page.getByRole('application', { name: 'Picture of the history' }).waitFor();
    return opened;
  };
  const list = (page: Page) => page.locator('.outline');

  it.each(LOOKS)('is drawn without faults and barriers: $name', async ({ name, ...look }) => {
    const { page, faults } = await open(poster, look);
    await page.getByText('13 things in the picture').waitFor();
    await keepPicture(page, `explore-12-${name}`);
    await list(page).getByRole('button', { name: 'Generated' }).first().click();
    await page.getByText('Recorded and unchanged.').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, `explore-record-${name}`);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
