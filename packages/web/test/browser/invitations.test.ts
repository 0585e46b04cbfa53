import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, type PageUser } from '../../../server/test/support/page-user.js';
import type { Service } from '../../../server/test/support/service.js';
import { openPage } from '../support/browser.js';
import { lookAtView as look, signInAsOwner, startManagedService } from '../support/manage-page.js';

describe('the page `Manage`', () => {
  let service: Service;
  let browser: Browser;
  let owner: PageUser;
  beforeAll(async () => {
    ({ service, browser, owner } = await startManagedService());
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const invite = async (role: string) => {
    const made = await owner.ask('/management/orgs/planet/invitations', { body: { role } });
    return (await made.json()).path as string;
  };

  it('creates an organisation and a project, and an invited person joins by the link', async () => {
    const { page, faults } = await signInAsOwner({ service, browser });
    await page.getByRole('link', { name: /Local/ }).click();
    await page.getByRole('heading', { name: 'New project' }).waitFor();
    await page.getByText('can add projects to Local. Its owners manage').waitFor();
    expect(await page.getByRole('button', { name: 'Create the project' }).count()).toBe(0);
    await look(page, 'local');
    await page.getByRole('link', { name: 'Create a project in Daily Planet' }).click();
    await page.getByRole('button', { name: 'Create the project' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Create an organisation' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Évening Star');
    await page.getByRole('button', { name: 'Create the organisation' }).click();
    await page.getByText('evening-star ·').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Comics and cartoons of the evening');
    await page.getByRole('button', { name: 'Create the project' }).click();
    await page.getByRole('heading', { name: 'Comics' }).waitFor();
    await page.getByText('You work in this project now').waitFor();
    await page.getByRole('button', { name: 'Project: Comics' }).waitFor();
    const boxes = await page
      .locator('header nav li, header .project-button')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
    const [lowestTop, highestBottom] = [
      Math.max(...boxes.map(({ top }) => top)),
      Math.min(...boxes.map(({ bottom }) => bottom)),
    ];
    expect([boxes.length, lowestTop < highestBottom]).toEqual([9, true]);
    await page.getByRole('link', { name: '← Évening Star' }).click();
    await page.getByRole('tab', { name: 'Members' }).click();
    await page.getByLabel('Role', { exact: true }).selectOption('viewer');
    await page.getByRole('button', { name: 'Create a link' }).click();
    const link = (await page.locator('.once code').textContent()) ?? '';
    await page.getByText('This address works only on this computer.').waitFor();
    const withdraw = page.getByRole('button', { name: /^Withdraw the invitation for the role Viewer/ });
    await withdraw.waitFor();
    await look(page, 'invited');

    const guest = await openPage(browser, link.replace('#', '?first#'));
    await guest.page.getByRole('heading', { name: 'Create the first account of this service' }).waitFor();
    // An earlier version of the service has no check of invitations.
    await guest.page.route('**/invitation-checks', (route) => route.fulfill({ status: 404, json: {} }));
    await guest.page.goto(link);
    await guest.page.getByText('Choose a name and a password for your account.').waitFor();
    await guest.page.unroute('**/invitation-checks');
    await guest.page.reload();
    await guest.page.getByText('owner invites you to Évening Star as Viewer (can only read).').waitFor();
    const name = guest.page.getByRole('textbox', { name: 'Sign-in name (no spaces)' });
    await name.fill('The guest');
    expect(await name.evaluate((field: HTMLInputElement) => field.validity.patternMismatch)).toBe(true);
    await name.fill(' Guest ');
    expect(await name.evaluate((field: HTMLInputElement) => field.validity.valid)).toBe(true);
    await look(guest.page, 'join');
    expect(guest.page.url()).toBe(`${service.base}/app/manage/join`);
    await guest.page.getByLabel('Password').first().fill(PASSWORD);
    await guest.page.getByRole('button', { name: 'Create my account' }).click();
    await guest.page.getByRole('heading', { name: 'Your account is ready.' }).waitFor();
    await guest.page.getByRole('link', { name: 'Open the library' }).waitFor();
    expect(await guest.page.getByRole('main').getByRole('link', { name: 'Record a file' }).count()).toBe(0);
    await look(guest.page, 'joined');
    await guest.page.getByRole('link', { name: 'Open the organisation Évening Star' }).click();
    await guest.page.getByRole('link', { name: /Comics/ }).click();
    await guest.page.getByText('Developers and above see the keys').waitFor();
    expect(await guest.page.getByRole('tab', { name: 'Settings' }).count()).toBe(0);

    await guest.page.getByRole('button', { name: 'Project: Comics' }).click();
    await guest.page.getByRole('link', { name: 'Create a project under Manage' }).click();
    await guest.page.getByLabel('Name of the organisation').fill('Gazette');
    await guest.page.getByLabel('Name of the project').fill('Sports');
    await look(guest.page, 'first-project');
    await guest.page.getByRole('button', { name: 'Create the organisation and the project' }).click();
    await guest.page.getByRole('button', { name: 'Project: Sports' }).waitFor();
    await guest.page.getByText('You work in this project now').waitFor();
    await guest.page.goto(`${service.base}/app/manage/orgs/evening-star`);
    await guest.page.getByRole('link', { name: /Comics/ }).click();
    await guest.page.getByText('You work in the project Sports now.').waitFor();
    await guest.page.getByRole('button', { name: 'Work in Comics' }).click();
    await guest.page.getByRole('button', { name: 'Project: Comics' }).waitFor();

    await guest.page.goto(link);
    await guest.page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    await look(guest.page, 'spent');
    await guest.page.goto(`${service.base}${await invite('developer')}`);
    await guest.page.getByRole('button', { name: 'Join' }).click();
    const joined = 'You are now a member of Daily Planet, with the role Developer (can record and publish).';
    await guest.page.getByText(joined).waitFor();

    await page.reload();
    await page.getByRole('tab', { name: 'Members' }).click();
    await page.getByText('There are no open invitations.').waitFor();
    await page.getByRole('button', { name: 'Create a link' }).click();
    const withdrawn = (await page.locator('.once code').textContent()) ?? '';
    await page.getByRole('button', { name: /^Withdraw the invitation for the role Developer/ }).click();
    await page.getByText('There are no open invitations.').waitFor();
    expect(await page.locator('.once code').count()).toBe(0);
    const late = await openPage(browser, withdrawn);
    await late.page.getByText('Ask the person who sent you the link for a new one.').waitFor();
    expect(await late.page.getByLabel('Password').count()).toBe(0);
    expect(await late.page.evaluate(() => window.sessionStorage.getItem('colophon.invitation'))).toBeNull();
    await late.page.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor();
    await late.page.context().close();
    await page.getByLabel('Role of guest').selectOption({ label: 'Developer (can record and publish)' });
    await page.getByRole('button', { name: 'Remove guest' }).click();
    await page.getByRole('button', { name: 'Remove guest' }).waitFor({ state: 'detached' });
    expect([faults, guest.faults, late.faults]).toEqual([[], [], []]);
    await guest.page.context().close();
    await page.context().close();
  });
});
