import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, type PageUser, signUp, signUpFirst } from '../../../server/test/support/page-user.js';
import { ANY_ENGINE, KEY, type Service, startService } from '../../../server/test/support/service.js';
import {
  asSignedIn,
  findBarriers,
  holdRequests,
  keepPicture,
  LOOKS,
  openBrowser,
  openPage,
} from '../support/browser.js';
import { makePhoto } from '../support/photo.js';

describe('the page for a signed-in user without a key', () => {
  let service: Service;
  let browser: Browser;
  let owner: PageUser;
  let viewer: PageUser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(ANY_ENGINE), openBrowser()]);
    owner = await signUpFirst(service, 'owner');
    await owner.ask('/management/orgs', { body: { name: 'Daily Planet', slug: 'planet' } });
    // The page opens a project with content.
    await service.upload('the first file');
    for (const name of ['Front page', 'Back page'])
      await owner.ask('/management/projects', { body: { orgSlug: 'planet', name } });
    const invited = await owner.ask('/management/orgs/planet/invitations', { body: { role: 'viewer' } });
    viewer = await signUp(service, { name: 'viewer', invitation: (await invited.json()).invitation });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  /** The form leads back to the view. */
  async function signIn(name: string, view: string, look: BrowserContextOptions = {}) {
    const opened = await openPage(browser, `${service.base}/app${view}`, look);
    await opened.page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await opened.page.getByLabel('Name').fill(name);
    await opened.page.getByLabel('Password').fill(PASSWORD);
    await opened.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    return opened;
  }

  it.each(LOOKS.filter(({ name }) => name !== 'dark'))(
    'lets the user sign in, change the project, record, explore and see the credit split: $name',
    async ({ name, ...look }) => {
      const { page, faults } = await signIn('owner', '/record', look);
      const keyed: string[] = [];
      page.on('request', (request) => {
        if (request.headers().authorization !== undefined) keyed.push(request.url());
      });
      await page.getByLabel('Drop the file to record').waitFor({ state: 'attached' });
      expect(page.url()).toBe(`${service.base}/app/record`);
      await page.getByRole('button', { name: 'Project: one' }).click();
      await page.getByRole('button', { name: 'Front page' }).waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await keepPicture(page, `projects-switcher-${name}`);
      const toNewProject = page.getByRole('link', { name: 'Create a project under Manage' });
      expect(await toNewProject.getAttribute('href')).toBe('/app/manage/orgs/planet');
      await page.getByRole('button', { name: 'Front page' }).click();
      const chosen = page.getByRole('button', { name: 'Project: Front page' });
      await chosen.waitFor();
      expect(await chosen.evaluate((button) => button.scrollWidth - button.clientWidth)).toBe(0);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);

      const hue = 20 + LOOKS.findIndex((one) => one.name === name) * 50;
      const buffer = await makePhoto({ hue });
      const title = `poster-${name}.jpg`;
      await page
        .getByLabel('Drop the file to record')
        .setInputFiles({ name: title, mimeType: 'image/jpeg', buffer });
      await page.getByLabel('Person, organisation or AI system').selectOption({ label: 'Somebody new' });
      await page.getByLabel('Name', { exact: true }).fill('Ann');
      await page.getByRole('button', { name: 'Record it' }).click();
      await page.getByRole('heading', { name: 'It is recorded.' }).waitFor();
      expect(await findBarriers(page)).toEqual([]);
      const goTo = async (part: string) => {
        if (name === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
        await page.getByRole('navigation').getByRole('link', { name: part }).click();
      };
      await goTo('Explore');
      await page.getByRole('link', { name: new RegExp(title) }).click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.reload();
      await page.getByRole('button', { name: 'Project: Front page' }).waitFor();
      await page.getByText(title).first().waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await keepPicture(page, `projects-explore-${name}`);
      await goTo('Credit split');
      await page.getByRole('link', { name: new RegExp(title) }).click();
      await page.getByRole('img', { name: /^Bar of the credit split: Ann/ }).waitFor();
      const account = page.getByRole('banner').locator('summary', { hasText: 'Account of owner' });
      const signOut = page.getByRole('banner').getByRole('button', { name: 'Sign out' });
      await account.press('Enter');
      expect(await signOut.isVisible()).toBe(true);
      expect(await findBarriers(page)).toEqual([]);
      await keepPicture(page, `projects-account-${name}`);
      await signOut.press('Escape');
      expect(await signOut.isVisible()).toBe(false);
      await account.click();
      await signOut.click();
      await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor();
      expect(await account.count()).toBe(0);
      expect([keyed, faults]).toEqual([[], []]);
      await page.context().close();
    },
  );

  it('shows another project without the records of the first, also after a reload and a new sign-in', async () => {
    const { page, faults } = await signIn('owner', '/explore');
    await page.getByRole('button', { name: 'Project: one' }).click();
    await page.getByRole('button', { name: 'Back page' }).click();
    await page.getByRole('button', { name: 'Project: Back page' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Project: Back page' }).waitFor();
    expect(await page.getByRole('link', { name: /poster-/ }).count()).toBe(0);
    await page.getByRole('banner').locator('summary', { hasText: 'Account of owner' }).click();
    await page.getByRole('banner').getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Name').fill('owner');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Project: Back page' }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it.each(LOOKS)('explains to a viewer that the role can only read, and whom to ask: $name', async (look) => {
    const { name, ...options } = look;
    const { page, faults } = await signIn('viewer', '/record', options);
    await page.getByText('You can only read in the project Front page').waitFor();
    await page.getByText('Your role in Daily Planet is Viewer (can only read)').waitFor();
    const ask = 'ask one of these members for the role Developer (can record and publish): owner.';
    await page.getByText(ask).waitFor();
    expect(await page.getByRole('button', { name: 'Record it' }).count()).toBe(0);
    expect(await page.getByLabel('Drop the file to record').count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, `projects-read-only-${name}`);
    const send = await holdRequests(page, '**/management/projects/*');
    await page.reload();
    await page.getByRole('heading', { name: 'Record a file' }).waitFor();
    await page.getByRole('main').getByText('Loading …').waitFor();
    expect(await page.getByLabel('Drop the file to record').count()).toBe(0);
    send();
    await page.getByText(ask).waitFor();
    await page.goto(`${service.base}/app/explore`);
    await page
      .getByRole('link', { name: /poster-/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Publish …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Publish this history' });
    await dialog.getByText(ask).waitFor();
    expect(await dialog.getByRole('combobox').count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it.each(LOOKS)('shows viewers whom to ask for a new project: $name', async ({ name, ...look }) => {
    const { page, faults } = await openPage(browser, `${service.base}/app/manage/orgs/planet`, {
      ...look,
      ...asSignedIn(service.base, viewer),
    });
    await page.getByRole('heading', { name: 'New project' }).waitFor();
    const why =
      'Only members with the role Developer (can record and publish) or a higher role can create a project here.';
    await page.getByText(why).waitFor();
    await page.getByText('Ask one of these members for a project or for this role: owner.').waitFor();
    expect(await page.getByRole('button', { name: 'Create the project' }).count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, `projects-viewer-${name}`);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('names nobody if the service says only that an invitation is valid', async () => {
    const invited = await owner.ask('/management/orgs/planet/invitations', { body: { role: 'viewer' } });
    const { path } = await invited.json();
    const { page, faults } = await openPage(browser, service.base);
    // A service of the previous version answers like this.
    await page.route('**/invitation-checks', (route) => route.fulfill({ json: { valid: true } }));
    await page.goto(service.base + path);
    await page.getByRole('button', { name: 'Create my account' }).waitFor();
    expect(await page.getByRole('main').textContent()).not.toMatch(/undefined|invites you/);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('opens the project with the newest recording for a new user whose first project is empty', async () => {
    await owner.ask('/management/orgs', { body: { name: 'Desk', slug: 'desk' } });
    const ids: string[] = [];
    for (const name of ['Empty', 'Older', 'Newer']) {
      const made = await owner.ask('/management/projects', { body: { orgSlug: 'desk', name } });
      ids.push((await made.json()).id);
    }
    for (const projectId of ids.slice(1)) {
      const body = { projectId, name: 'press', permissions: 'write' };
      const { key } = await (await owner.ask('/management/api-keys', { body })).json();
      await service.upload(`of ${projectId}`, undefined, { authorization: `Bearer ${key}` });
    }
    const { invitation } = await (
      await owner.ask('/management/orgs/desk/invitations', { body: { role: 'viewer' } })
    ).json();
    await signUp(service, { name: 'nora', invitation });
    const { page, faults } = await signIn('nora', '/explore');
    await page.getByRole('button', { name: 'Project: Newer' }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('asks for a new sign-in when the session has ended, and keeps the view and its input', async () => {
    const { page, faults } = await signIn('owner', '/record');
    await page.getByRole('button', { name: 'Project: one' }).waitFor();
    const buffer = await makePhoto({ hue: 310 });
    // The page looks for a record of the file as soon as it is chosen.
    const looked = page.waitForResponse(/\/v1\/bundle\//);
    await page
      .getByLabel('Drop the file to record')
      .setInputFiles({ name: 'kept.jpg', mimeType: 'image/jpeg', buffer });
    await looked;
    await page.getByLabel('Person, organisation or AI system').selectOption({ label: 'Somebody new' });
    const hint = page.getByText(/^Is this person a member of your organisation\?/);
    await page.getByLabel('They are').selectOption({ label: 'an AI system' });
    expect(await hint.count()).toBe(0);
    await page.getByLabel('They are').selectOption({ label: 'a person' });
    await hint.waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Ann');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Record it' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Name').fill('owner');
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByLabel('Password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ann');
    await page.getByRole('button', { name: 'Project: one' }).waitFor();
    await page.getByRole('button', { name: 'Record it' }).click();
    await page.getByRole('heading', { name: 'It is recorded.' }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it.each(LOOKS.filter(({ name }) => name !== 'dark'))(
    'asks before a sign-out that deletes the form: $name',
    async ({ name, ...look }) => {
      const { page, faults } = await signIn('owner', '/record', look);
      await page.getByRole('button', { name: 'Project: one' }).waitFor();
      await page.getByLabel('Person, organisation or AI system').selectOption({ label: 'Somebody new' });
      const field = page.getByLabel('Name', { exact: true });
      await field.fill('Ann');
      const account = page.getByRole('banner').locator('summary', { hasText: 'Account of owner' });
      const signOut = page.getByRole('banner').getByRole('button', { name: 'Sign out', exact: true });
      await account.click();
      await signOut.click();
      await page.getByText('The form on this page is not recorded. A sign-out deletes it.').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await keepPicture(page, `projects-sign-out-${name}`);
      await page.getByRole('button', { name: 'Stay signed in' }).click();
      expect(await field.inputValue()).toBe('Ann');
      await signOut.click();
      await page.getByRole('button', { name: 'Sign out, delete the form' }).click();
      await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor();
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );

  it('records the user under their name when the service no longer knows their id', async () => {
    const { page, faults } = await signIn('owner', '/record');
    await page.getByRole('button', { name: 'Project: one' }).waitFor();
    const lost = 'human:00000000000000000000000000000001';
    const record = async (hue: number) => {
      await page
        .getByLabel('Drop the file to record')
        .setInputFiles({ name: 'own.jpg', mimeType: 'image/jpeg', buffer: await makePhoto({ hue }) });
      await page.getByText('owner made “own.jpg”.').waitFor();
      await page.getByRole('button', { name: 'Record it' }).click();
      await page.getByRole('heading', { name: 'It is recorded.' }).waitFor();
    };
    await record(320);
    const readIds = () =>
      page.evaluate(() => Object.entries(localStorage).filter(([place]) => place.startsWith('colophon.me.')));
    const [[place, id] = ['', '']] = await readIds();
    expect(id).toMatch(/^human:/);
    await page.evaluate(([name, value]) => localStorage.setItem(name, value), [place, lost] as const);
    const absent = page.waitForResponse((answer) => answer.url().includes('/entity/'));
    await page.reload();
    await absent;
    // The service derives the id of the recorded person from the name of the user.
    const who = page.getByLabel('Person, organisation or AI system');
    await who.locator(`option[value="${id}"]`, { hasText: 'Me (owner)' }).waitFor({ state: 'attached' });
    expect(await who.locator('option').allTextContents()).not.toContain(`Another owner (${id})`);
    await record(325);
    expect((await readIds()).map(([, known]) => known)).toEqual([id]);
    const { entities } = await (await service.send('/v1/entities')).json();
    const known = entities.map((one: { id: string; name?: string }) => [one.id, one.name]);
    expect(known).toContainEqual([id, 'owner']);
    expect(known.map(([one]: [string]) => one)).not.toContain(lost);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('opens no project that another user chose in this tab', async () => {
    const { page, faults } = await signIn('owner', '/explore');
    await page.getByRole('button', { name: 'Project: one' }).click();
    await page.getByRole('button', { name: 'Back page' }).click();
    await page.getByRole('button', { name: 'Project: Back page' }).waitFor();
    await page.context().clearCookies();
    const answer = await page.request.post(`${service.base}/app/api/session`, {
      data: { name: 'viewer', password: PASSWORD },
      headers: { origin: service.base, 'sec-fetch-site': 'same-origin' },
    });
    expect(answer.status()).toBe(201);
    await page.reload();
    await page.getByRole('button', { name: 'Project: Front page' }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it.each([
    ['Stay in my project', 'Project: one'],
    ['Use the key', 'Project key test-key-of'],
  ])('asks after a sign-in about the key of a link that the tab already uses: %s', async (choice, inUse) => {
    const { page, faults } = await openPage(browser, `${service.base}/app/#key=${KEY}`);
    await page.getByRole('button', { name: 'Project key test-key-of' }).waitFor();
    await page.goto(`${service.base}/app/manage`);
    await page.getByLabel('Name').fill('owner');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const asked = page.getByRole('dialog', { name: 'Use the key of this link?' });
    await asked.waitFor();
    await page.reload();
    await asked.getByRole('button', { name: choice }).click();
    await page.getByRole('button', { name: inUse }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: inUse }).waitFor();
    expect(await asked.count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('asks, after a sign-in in another tab, about the key of a link that this tab already uses', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/#key=${KEY}`);
    await page.getByRole('button', { name: 'Project key test-key-of' }).waitFor();
    const answer = await page.request.post(`${service.base}/app/api/session`, {
      data: { name: 'owner', password: PASSWORD },
      headers: { origin: service.base, 'sec-fetch-site': 'same-origin' },
    });
    expect(answer.status()).toBe(201);
    await page.goto(`${service.base}/app/explore#key=${KEY}`);
    const asked = page.getByRole('dialog', { name: 'Use the key of this link?' });
    await asked.getByRole('button', { name: 'Stay in my project' }).click();
    await page.getByRole('button', { name: 'Project: one' }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('also works with a key, shows whether the key or a project is in use, and switches between them', async () => {
    const { page, faults } = await signIn('owner', '/explore');
    await page.getByRole('button', { name: 'Project: one' }).waitFor();
    await page.goto(`${service.base}/app/explore#key=${KEY}`);
    const asked = page.getByRole('dialog', { name: 'Use the key of this link?' });
    await asked.waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await asked.getByRole('button', { name: 'Stay in my project' }).click();
    await page.getByRole('button', { name: 'Project: one' }).waitFor();
    await page.goto(`${service.base}/app/explore?again#key=${KEY}`);
    await asked.getByRole('button', { name: 'Use the key' }).click();
    await page.getByRole('button', { name: 'Project key test-key-of' }).click();
    await page.getByText('This tab uses the project key test-key-of-…').waitFor();
    await page.getByRole('button', { name: 'Front page' }).click();
    await page.getByRole('button', { name: 'Project: Front page' }).click();
    await page.getByText('This tab stores the project key test-key-of-…').waitFor();
    await page.getByRole('button', { name: 'Use this project key' }).click();
    await page.getByRole('button', { name: 'Project key test-key-of' }).click();
    await page.getByRole('button', { name: 'Forget this key' }).click();
    await page.getByRole('button', { name: 'Project: Front page' }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
