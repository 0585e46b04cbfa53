import { spawnSync } from 'node:child_process';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mediaForm, SAID } from '../../../server/test/support/media-form.js';
import { type PageUser, signUp, signUpFirst } from '../../../server/test/support/page-user.js';
import { missingPrograms } from '../../../server/test/support/programs.js';
import {
  ANY_ENGINE,
  jsonPost,
  KEY,
  type Service,
  startService,
  toForm,
} from '../../../server/test/support/service.js';
import { texturedPicture } from '../../../server/test/support/textured-picture.js';
import { asSignedIn, findBarriers, keepPicture, LOOKS, openBrowser, openPage } from '../support/browser.js';

const TEXT = Buffer.from('The heron stands in the shallow water and waits for a fish to pass. '.repeat(4));

describe('the page of a compliance report', () => {
  let service: Service;
  let browser: Browser;
  let projectId: string;
  let viewer: PageUser;
  let unmarked: string;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(ANY_ENGINE), openBrowser()]);
    await service.send('/v1/entity', jsonPost({ id: 'studio:ann', role: 'human', name: 'Ann' }));
    const json = { ...SAID, aiDisclosure: 'ai_generated' };
    for (const file of [await (await texturedPicture(3)).jpeg().toBuffer(), TEXT]) {
      const body = mediaForm({ file, json });
      expect((await service.send('/v1/mark', { method: 'POST', body })).status).toBe(201);
    }
    const owner = await signUpFirst(service, 'owner');
    await owner.ask('/management/orgs', { body: { name: 'Daily Planet', slug: 'planet' } });
    const project = { orgSlug: 'planet', name: 'Front page' };
    projectId = (await (await owner.ask('/management/projects', { body: project })).json()).id;
    const to = { body: { role: 'viewer' } };
    const { invitation } = await (await owner.ask('/management/orgs/planet/invitations', to)).json();
    viewer = await signUp(service, { name: 'viewer', invitation });
    const form = toForm('a text with a tool', {
      entity: { id: 'studio:ann', role: 'human' },
      action: { aiTool: { provider: 'Acme', model: 'writer' } },
    });
    const recorded = await fetch(`${service.base}/app/api/projects/${projectId}/v1/activity`, {
      method: 'POST',
      headers: { ...owner.headers },
      body: form,
    });
    unmarked = (await recorded.json()).cid;
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  const open = (options: object = {}) =>
    openPage(browser, `${service.base}/v1/compliance/report`, {
      ...options,
      extraHTTPHeaders: { authorization: `Bearer ${KEY}` },
    });

  it.each(LOOKS)(
    'has no accessibility problems or policy violations, and fits the width of the screen: $name',
    async ({ name, ...look }) => {
      const { page, faults } = await open(look);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Compliance report');
      await page.getByText('2 contents were marked in the period.').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      const { over, styled } = await page.evaluate(() => ({
        over: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        styled: getComputedStyle(document.querySelector('table') as Element).borderCollapse,
      }));
      expect([over, styled, faults]).toEqual([0, 'collapse', []]);
      await keepPicture(page, `report-${name}`);
      await page.context().close();
    },
  );

  it.each(LOOKS)('opens from the tab `Report` of a project, also for a viewer: $name', async (look) => {
    const { name, ...options } = look;
    const { page, faults } = await openPage(browser, `${service.base}/app/manage/projects/${projectId}`, {
      ...options,
      ...asSignedIn(service.base, viewer),
    });
    await page.getByRole('tab', { name: 'Report' }).click();
    expect(new URL(page.url()).searchParams.get('tab')).toBe('report');
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, `report-tab-${name}`);
    const open = page.getByRole('button', { name: 'Open the report to print' });
    const from = page.getByLabel('From');
    const usual = await from.inputValue();
    await from.fill('2100-01-01');
    await open.click();
    expect(page.context().pages()).toHaveLength(1);
    await from.fill(usual);
    const [report] = await Promise.all([page.context().waitForEvent('page'), open.click()]);
    await report.getByRole('heading', { level: 1, name: 'Compliance report' }).waitFor();
    await report.getByText(unmarked, { exact: true }).waitFor();
    await report.getByText('colophon mark').waitFor();
    expect(await findBarriers(report)).toEqual([]);
    await keepPicture(report, `report-unmarked-${name}`);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('folds the tables on robustness on the screen, and prints them on at most two pages', async () => {
    const { page, faults } = await open();
    const table = page.getByRole('table', { name: 'image-mark/1, by alteration' }).first();
    expect(await table.isVisible()).toBe(false);
    await page.getByText('Show the tables of').click();
    await table.waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'report-appendix');
    await page.getByText('Show the tables of').click();
    await table.waitFor({ state: 'hidden' });
    const countPages = async () =>
      (await page.pdf({ preferCSSPageSize: true })).toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ??
      0;
    const whole = await countPages();
    await page.emulateMedia({ media: 'print' });
    expect(await table.isVisible()).toBe(true);
    await page.locator('.appendix').evaluate((part) => part.remove());
    expect([1, 2]).toContain(whole - (await countPages()));
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it.skipIf(missingPrograms().includes('poppler-utils'))(
    'never prints the heading of the newest marked contents without the first row below it',
    async () => {
      const { page } = await open();
      await page.evaluate(() => {
        const space = Object.assign(document.createElement('div'), { id: 'space' });
        space.style.breakBefore = 'page';
        document.querySelector('.contents')?.before(space);
      });
      for (let height = 740; height < 980; height += 20) {
        await page.evaluate((px) => {
          const space = document.querySelector<HTMLElement>('#space');
          if (space !== null) space.style.height = `${px}px`;
        }, height);
        const input = await page.pdf({ preferCSSPageSize: true });
        const text = spawnSync('pdftotext', ['-layout', '-', '-'], { input }).stdout.toString();
        const pages = text.split('\f').filter((one) => one.includes('Newest marked contents'));
        expect([height, pages.length]).toEqual([height, 1]);
        expect([height, pages[0]?.includes('receipt:')]).toEqual([height, true]);
      }
      await page.context().close();
    },
  );

  it('prints in shades of grey, on several A4 pages', async () => {
    const { page } = await open();
    await page.emulateMedia({ media: 'print' });
    const colours = await page.evaluate(() =>
      [...document.querySelectorAll('body, body *')].flatMap((element) => {
        const { color, backgroundColor, borderBottomColor } = getComputedStyle(element);
        return [color, backgroundColor, borderBottomColor];
      }),
    );
    const toChannels = (colour: string) => colour.match(/\d+/g)?.slice(0, 3) ?? [];
    expect(new Set(colours).size).toBeGreaterThan(2);
    expect(colours.filter((colour) => new Set(toChannels(colour)).size !== 1)).toEqual([]);
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b/g)?.length).toBeGreaterThan(1);
    const [, ...size] = /\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? [];
    expect(size.map((points) => Math.round(Number(points)))).toEqual([595, 842]);
    await page.context().close();
  });
});
