import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ANY_ENGINE,
  jsonPost,
  KEY,
  type Service,
  startService,
} from '../../../server/test/support/service.js';
import { findBarriers, keepPicture, LOOKS, openBrowser, openPage } from '../support/browser.js';

const UNMADE = 'bafkreiekylwtkn24gbdfzduumrde23kozcgrhp7hh4o64haeqzzb7iwmkq';

describe('the page `Credit split`', () => {
  let service: Service;
  let browser: Browser;
  let cid: string;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(ANY_ENGINE), openBrowser()]);
    const record = async (content: string, name: string, inputCids: string[]) => {
      const entity = { id: `studio:${name.toLowerCase()}`, role: 'human', name };
      const type = inputCids.length === 0 ? 'create' : 'aggregate';
      return (await (await service.upload(content, { entity, action: { type, inputCids } })).json())
        .cid as string;
    };
    const photo = await record('the photo', 'Ann', []);
    const drawing = await record('the drawing', 'Bo', [photo]);
    cid = await record('the collage', 'Cy', [photo, drawing, UNMADE]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  it.each(LOOKS)('shows the share of each person and its reason: $name', async ({ name, ...look }) => {
    const { page, faults } = await openPage(browser, `${service.base}/app/shares#key=${KEY}`, look);
    await page.getByLabel('Content id').fill(cid);
    await page.getByRole('button', { name: 'Show its credit split' }).click();
    await page
      .getByRole('img', { name: 'Bar of the credit split: Cy 50.00 %, Ann 25.00 %, Bo 25.00 %' })
      .waitFor();
    await page.getByText('Path', { exact: true }).first().click();
    const ann = page.getByRole('row', { name: /^Ann/ });
    expect(await ann.textContent()).toContain('Ann25.00 %25.00 %, Ann made “photo.jpg”');
    await page.getByRole('heading', { level: 1, name: 'Credit split: photo.jpg' }).waitFor();
    expect(await page.locator('.shares-head .thumbnail').count()).toBe(1);
    await page
      .getByText('The maker of 1 source file is not recorded, so nobody has a share for it.')
      .waitFor();
    await page.getByText('gets 66.67 %, and the maker of its only source gets 33.33 %.').waitFor();
    await page.getByText('No wallet of these people is recorded').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, `shares-${name}`);
    const { scrollWidth, clientWidth } = await page
      .locator('.share-table')
      .evaluate((table) => ({ scrollWidth: table.scrollWidth, clientWidth: table.clientWidth }));
    expect(scrollWidth).toBe(clientWidth);
    expect(await page.getByRole('columnheader', { name: 'Wallet for payments' }).count()).toBe(0);
    await page.getByLabel('Who counts').selectOption({ label: 'Only those who made this very content' });
    await page.getByRole('img', { name: 'Bar of the credit split: Cy 100.00 %' }).waitFor();
    expect(await page.getByText('is not recorded, so nobody has a share').count()).toBe(0);
    // Each file has a single maker.
    expect(await page.getByText('no record says how much each maker did').count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('shows why each person has a share: their own steps and tools, or their credit', async () => {
    const record = async (entity: object, action: object) =>
      (await (await service.upload('the poster', { entity, action, title: 'poster.jpg' })).json()).cid;
    const poster = await record({ id: 'studio:dora', role: 'human', name: 'Dora' }, { type: 'create' });
    const aiTool = { provider: 'Acme', model: 'fill-2' };
    const edit = { type: 'transform', aiTool, performedBy: 'studio:bo', outputCids: [poster] };
    await service.send('/v1/action', jsonPost(edit));
    for (const [entityId, role] of [
      ['studio:bo', 'creator'],
      ['studio:cy', 'contributor'],
    ])
      await service.send('/v1/attribution', jsonPost({ entityId, resourceCid: poster, role, weight: 1 }));
    const { page, faults } = await openPage(browser, `${service.base}/app/shares/${poster}#key=${KEY}`);
    const reasonOf = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) }).textContent();
    await page.getByRole('row', { name: /^Cy/ }).waitFor();
    expect(await reasonOf('Bo')).toContain('Bo edited this file with AI (Acme fill-2)');
    expect(await reasonOf('Cy')).toContain('Cy contributed to this file');
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'shares-reasons');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('starts with recent records, and links from the shares to the history and back', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/shares#key=${KEY}`);
    await page.getByRole('link', { name: 'photo.jpg' }).first().click();
    await page.getByRole('img', { name: /^Bar of the credit split: Cy/ }).waitFor();
    await page.getByRole('link', { name: 'See its history' }).click();
    await page.getByRole('link', { name: 'View credit split' }).click();
    await page.getByRole('img', { name: /^Bar of the credit split: Cy/ }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('reports content that is not recorded', async () => {
    const unknown = 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e';
    const { page, faults } = await openPage(browser, `${service.base}/app/shares/${unknown}#key=${KEY}`);
    await page.getByText('This content is not recorded in your project.').waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
