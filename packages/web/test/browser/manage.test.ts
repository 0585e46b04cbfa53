import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, type PageUser } from '../../../server/test/support/page-user.js';
import type { Service } from '../../../server/test/support/service.js';
import { asSignedIn, keepPicture, LOOKS, openPage } from '../support/browser.js';
import { lookAtView as look, signInAsOwner, startManagedService } from '../support/manage-page.js';

describe('the page `Manage`', () => {
  let service: Service;
  let browser: Browser;
  let owner: PageUser;
  let projectId: string;
  let key: string;
  beforeAll(async () => {
    ({ service, browser, owner, projectId, key } = await startManagedService());
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const signIn = (look?: BrowserContextOptions, path?: string) =>
    signInAsOwner({ service, browser }, look, path);

  const fits = async (page: Page) => {
    const widths = await page
      .locator('.table')
      .evaluateAll((tables) => tables.map((table) => table.scrollWidth - table.clientWidth));
    expect(Math.max(...widths)).toBe(0);
  };

  it.each(LOOKS)(
    'has no script errors or accessibility problems in its views and tabs: $name',
    async ({ name, ...options }) => {
      const { page, faults } = await openPage(browser, `${service.base}/app/manage`, options);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await look(page, `sign-in-${name}`);
      await page.getByLabel('Name').fill('owner');
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { name: 'Your organisations' }).waitFor();
      await page.getByText('Daily Planet').waitFor();
      await look(page, `home-${name}`);

      await page.getByRole('link', { name: /Daily Planet/ }).click();
      await page.getByRole('link', { name: /Front page/ }).waitFor();
      await look(page, `org-${name}`);
      await page.getByRole('tab', { name: 'Members' }).click();
      await page.getByRole('cell', { name: 'owner (you) User id: local:owner' }).waitFor();
      await look(page, `members-${name}`);
      await fits(page);
      await page.getByRole('tab', { name: 'Changes' }).click();
      await page.getByText('created the organisation').waitFor();
      await look(page, `audit-${name}`);
      await fits(page);
      await page.getByRole('tab', { name: 'Settings' }).click();
      await look(page, `org-settings-${name}`);

      await page.getByRole('tab', { name: 'Projects' }).click();
      await page.getByRole('link', { name: /Front page/ }).click();
      await page.getByRole('cell', { name: 'website', exact: true }).waitFor();
      await look(page, `keys-${name}`);
      await fits(page);
      await page.getByRole('tab', { name: 'Usage' }).click();
      await page.getByRole('img', { name: /Calls by day/ }).waitFor();
      await page.getByText('As a table').click();
      await look(page, `usage-${name}`);
      await fits(page);
      const calls = async () => Number(await page.locator('.figures dd').first().textContent());
      const before = await calls();
      await service.send('/v1/entities', { headers: { authorization: `Bearer ${key}` } });
      const refreshed = async () => {
        await page.getByRole('button', { name: 'Refresh' }).click();
        return calls();
      };
      await expect.poll(refreshed, { timeout: 4_000 }).toBe(before + 1);
      await page.getByRole('tab', { name: 'Anchoring' }).click();
      await page.getByText('no chain configured').waitFor();
      await look(page, `anchoring-${name}`);
      await page.getByRole('tab', { name: 'Settings' }).click();
      await look(page, `project-settings-${name}`);
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );

  it('reports a wrong password, accepts the right one, and exposes no secret to scripts', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/manage`);
    await page.getByLabel('Name').fill('owner');
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('The name or the password is wrong').waitFor();
    await page.getByLabel('Name').fill('local:owner');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText(/^This is not a valid sign-in name\. A sign-in name has 2 to 64 letters/).waitFor();
    expect(await page.getByText('The body is not valid').count()).toBe(0);
    await page.getByLabel('Name').fill('owner');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Your organisations').waitFor();
    // The tab stores this project, and the browser stores its id.
    await page.getByRole('button', { name: 'Project: Front page' }).waitFor();
    const readStored = () =>
      page.evaluate(() => [document.cookie, { ...localStorage }, { ...sessionStorage }]);
    const project = JSON.stringify({ id: projectId, name: 'Front page', userId: 'local:owner' });
    const last = { 'colophon.project.local:owner': projectId };
    expect(await readStored()).toEqual(['', last, { 'colophon.project': project }]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Enter a project key' }).waitFor();
    expect(await readStored()).toEqual(['', last, {}]);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('has an address for each tab, so that links and the Back button lead to the tab', async () => {
    const { page, faults } = await signIn({}, `/app/manage/projects/${projectId}?tab=usage`);
    await page.getByRole('img', { name: /Calls by day/ }).waitFor();
    await page.getByRole('tab', { name: 'Webhooks' }).click();
    expect(page.url()).toMatch(/\?tab=webhooks$/);
    await page.getByRole('tab', { name: 'Webhooks' }).press('ArrowRight');
    expect(page.url()).toMatch(/\?tab=anchoring$/);
    await page.goBack();
    await page.goBack();
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Usage');
    await page.getByRole('link', { name: '← Daily Planet' }).click();
    await page.getByRole('tab', { name: 'Members' }).click();
    await page.reload();
    await page.getByText('local:owner').first().waitFor();
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Members');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('creates a webhook with a secret that it shows once, lists its deliveries, and deletes it', async () => {
    const { page, faults } = await signIn(
      { viewport: { width: 390, height: 844 } },
      `/app/manage/projects/${projectId}?tab=webhooks`,
    );
    const url = 'https://hooks.invalid/colophon';
    await page.getByLabel('Address').fill(url);
    await page.getByLabel('The integrity check found a difference').uncheck();
    await page.getByRole('button', { name: 'Create the webhook' }).click();
    const secret = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
    expect(secret).toMatch(/^whsec_/);
    await look(page, 'webhook-made');
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('cell', { name: url, exact: true }).waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('button', { name: `Send a test to ${url}` }).click();
    await page.getByText('The test is sent').waitFor();
    await page.getByRole('button', { name: `Deliveries to ${url}` }).click();
    await page.getByRole('dialog').getByRole('cell', { name: 'Test', exact: true }).waitFor();
    await look(page, 'webhook-deliveries');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: `Delete the webhook to ${url}` }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: `Delete the webhook to ${url}` })
      .click();
    await page.getByText('There are no webhooks yet').waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('proposes a key, shows a command that works with it, and uses it on the page', async () => {
    const { page, faults } = await signIn({}, `/app/manage/projects/${projectId}`);
    await page.getByLabel('Purpose').selectOption({ label: 'A site or program that shows histories' });
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Site with histories');
    expect(await page.getByLabel('Permission').inputValue()).toBe('read');
    await page.getByLabel('Purpose').selectOption({ label: 'A program that records files' });
    await page.getByRole('button', { name: 'Create the key' }).click();
    const command = (await page.getByRole('dialog').locator('code').nth(1).textContent()) ?? '';
    const directory = mkdtempSync(path.join(tmpdir(), 'colophon-curl-'));
    writeFileSync(path.join(directory, 'photo.jpg'), 'a photo for curl');
    const { stdout } = await promisify(execFile)('sh', ['-c', `${command} -sS`], { cwd: directory });
    rmSync(directory, { recursive: true });
    expect(JSON.parse(stdout)).toMatchObject({ state: 'claimed', size: 16 });
    expect(command).toContain('"name":"owner"');
    await page.getByText('If “owner” is not its maker, change this name too.').waitFor();
    await page.getByText('You do not need this. This tab then reads and records').waitFor();
    await page.getByRole('button', { name: 'Try the key in this tab' }).click();
    await page.getByRole('button', { name: /^Project key pk_live_/ }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('stores the settings that make parts of a project public', async () => {
    const { page, faults } = await signIn({}, `/app/manage/projects/${projectId}`);
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByLabel('Public detector: let everybody find the published content').check();
    await page.getByLabel('Public log: let everybody read the transparency log').check();
    await page.getByRole('button', { name: 'Save the settings' }).click();
    await page.getByText('Saved.').waitFor();
    const stored = await (await service.manage('local:owner', `/projects/${projectId}`)).json();
    expect(stored).toMatchObject({ publicChecks: false, publicDetector: true, publicLog: true });
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('shows a new key once, rotates it with an overlap, and revokes it', async () => {
    const { page, faults } = await signIn({}, `/app/manage/projects/${projectId}`);
    // The sign-in also has a field with this name.
    await page.getByRole('heading', { name: 'New key' }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('press');
    await page.getByLabel('Permission').selectOption('write');
    await page.getByRole('button', { name: 'Create the key' }).click();
    const shown = page.getByRole('dialog').locator('code').first();
    const key = (await shown.textContent()) ?? '';
    expect(key).toMatch(/^pk_live_/);
    await look(page, 'key-shown');
    expect(await page.getByRole('dialog').getByRole('button', { name: 'Close' }).count()).toBe(0);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('cell', { name: 'press', exact: true }).waitFor();
    expect(await page.getByRole('row', { name: /press/ }).textContent()).toContain('Read and record');
    expect(await page.content()).not.toContain(key);
    const status = async (one: string) =>
      (await service.send('/v1/entities', { headers: { authorization: `Bearer ${one}` } })).status;
    expect(await status(key)).toBe(200);

    await page.getByRole('button', { name: 'Rotate press' }).click();
    await page.getByLabel('Hours until the old key expires').fill('2');
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate press' }).click();
    await page.getByText('Copy the key now').waitFor();
    const next = (await shown.textContent()) ?? '';
    expect(next).not.toBe(key);
    expect([await status(key), await status(next)]).toEqual([200, 200]);
    await page.getByRole('button', { name: 'I have copied it' }).click();

    await page
      .getByRole('row', { name: new RegExp(next.slice(0, 16)) })
      .getByRole('button', { name: 'Revoke' })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke press' }).click();
    await page.getByRole('cell', { name: 'Revoked' }).waitFor();
    expect([await status(key), await status(next)]).toEqual([200, 401]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('has a header of one row in each language, also for a project with a long name', async () => {
    const name = 'Exhibition archive of the municipal collections, north and south';
    const made = await owner.ask('/management/projects', { body: { orgSlug: 'planet', name } });
    const { id } = await made.json();
    const session = asSignedIn(service.base, owner);
    for (const locale of ['en', 'de', 'fr', 'es', 'it', 'pl']) {
      const view = `${service.base}/app/manage/projects/${id}`;
      const { page, faults } = await openPage(browser, view, { ...session, locale });
      await page.getByRole('main').getByRole('button', { name }).click();
      await page.locator('header .project-button', { hasText: name }).waitFor();
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 844 });
        const { heightPx, rows } = await page.locator('header.frame').evaluate(measureHeader);
        await keepPicture(page, `header-${locale}-${width}`);
        expect
          .soft([locale, width, rows, heightPx < 80 ? 'low' : heightPx])
          .toEqual([locale, width, 1, 'low']);
      }
      expect(faults).toEqual([]);
      await page.context().close();
    }
  });
});

/** `rows`: the number of rows of the visible links and buttons. */
function measureHeader(header: HTMLElement | SVGElement): { heightPx: number; rows: number } {
  const boxes = [...header.querySelectorAll(':scope > :is(a, button), nav a, .menu > summary')]
    .map((one) => one.getBoundingClientRect())
    .filter(({ width, height }) => width > 0 && height > 0)
    .sort((one, other) => one.top - other.top);
  let rows = 0;
  let bottom = Number.NEGATIVE_INFINITY;
  for (const box of boxes) {
    if (box.top >= bottom) rows++;
    bottom = rows === 0 || box.top >= bottom ? box.bottom : Math.min(bottom, box.bottom);
  }
  return { heightPx: header.getBoundingClientRect().height, rows };
}
