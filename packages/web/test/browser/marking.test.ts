import { readFile } from 'node:fs/promises';
import type { Mark } from '@colophon/model';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, type PageUser, signUp, signUpFirst } from '../../../server/test/support/page-user.js';
import { ANY_ENGINE, KEY, type Service, startService, toForm } from '../../../server/test/support/service.js';
import {
  asSignedIn,
  findBarriers,
  holdRequests,
  keepPicture,
  openBrowser,
  openPage,
} from '../support/browser.js';
import { makePhoto } from '../support/photo.js';

const PHONE = { width: 390, height: 844 };
/** A loaded machine can take long to start the C2PA engine. */
const SOON = { timeout: 90_000 };

/** Answers as if the service had not computed the fingerprint yet. */
const answerPending = (page: Page) =>
  page.route('**/v1/mark', async (route) => {
    const response = await route.fetch();
    const mark: Mark = await response.json();
    for (const layer of mark.layers) if (layer.kind === 'fingerprint') layer.state = 'pending';
    await route.fulfill({ response, json: mark });
  });

describe('a marked copy', () => {
  let service: Service;
  let browser: Browser;
  let owner: PageUser;
  let projectId: string;
  beforeAll(async () => {
    const environment = { PUBLIC_DETECTOR: 'true' };
    [service, browser] = await Promise.all([startService(ANY_ENGINE, { environment }), openBrowser()]);
    owner = await signUpFirst(service, 'owner');
    await owner.ask('/management/orgs', { body: { name: 'Daily Planet', slug: 'planet' } });
    const project = { orgSlug: 'planet', name: 'Front page' };
    projectId = (await (await owner.ask('/management/projects', { body: project })).json()).id;
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  async function recordAndOpen(page: Page, file: { name: string; mimeType: string; buffer: Buffer }) {
    await page.getByLabel('Drop the file to record').setInputFiles(file);
    await page.getByLabel('Name', { exact: true }).fill('Ann');
    await page.getByLabel('What they did').selectOption({ label: 'They generated it with AI' });
    await page.getByLabel('Company that offers the AI').fill('Acme');
    await page.getByLabel('Name of the AI model').fill('painter-2');
    await page.getByRole('button', { name: 'Record it' }).click();
    await page.getByRole('heading', { name: 'It is recorded.' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, `record-mark-${file.name}`);
    await page.getByRole('button', { name: 'Make a marked copy …' }).click();
    await page.getByText('The original file stays unchanged.').waitFor();
  }

  const recordText = (content: string) =>
    fetch(`${service.base}/app/api/projects/${projectId}/v1/activity`, {
      method: 'POST',
      headers: { ...owner.headers },
      body: toForm(content, {
        entity: { id: 'studio:bo', role: 'human', name: 'Bo' },
        action: { type: 'generate', aiTool: { provider: 'Acme', model: 'writer' } },
        title: 'poem.txt',
      }),
    });

  it('is offered before the original is published, and is published from its dialog', async () => {
    const { cid } = await (
      await recordText('A heron stands in the cold water and waits for the fish.')
    ).json();
    const address = `${service.base}/app/explore/${cid}`;
    const { page, faults } = await openPage(browser, address, asSignedIn(service.base, owner));
    await page.getByRole('application').waitFor();
    await page.getByRole('button', { name: 'Publish …' }).click();
    const first = page.getByRole('dialog', { name: 'Publish this history' });
    await first.getByText('Make a marked copy, and publish the copy instead.').waitFor();
    await first.getByText('Off in this project: public detector and public checks.').waitFor();
    await first.getByText(/ people who have only .* recorded files that you did not publish\./).waitFor();
    const settings = first.getByRole('link', { name: 'Turn on in the settings' });
    expect(await settings.getAttribute('href')).toBe(`/app/manage/projects/${projectId}?tab=settings`);
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'publish-unmarked');
    await first.getByRole('button', { name: 'Make a marked copy …' }).click();
    const marking = page.getByRole('dialog', { name: 'Make a marked copy' });
    await marking.getByText('Off in this project: public detector and public checks.').waitFor();
    await marking.getByText('names owner as the person who marked it').waitFor();
    await marking.getByRole('button', { name: 'Make the marked copy' }).click();
    await marking.getByRole('heading', { name: 'The marked copy is ready.' }).waitFor(SOON);
    expect(await marking.getByText(/^Off in this project/).count()).toBe(0);
    await marking.getByText(/^The statement is signed by .*development/).waitFor();
    await marking.getByText('Readers of the file will see “not verified”.').waitFor();
    const certificates = marking.getByRole('link', { name: 'Certificates of this project' });
    expect(await certificates.getAttribute('href')).toBe(
      `/app/manage/projects/${projectId}?tab=certificates`,
    );
    await marking.getByRole('button', { name: 'Publish …' }).click();
    const second = marking.getByRole('dialog', { name: 'Publish this history' });
    await second.getByText('Without a headline, the page has a general one').waitFor();
    expect(await second.getByText('publish the copy instead').count()).toBe(0);
    await second.getByText(/^Off in this project/).waitFor();
    await second.getByRole('button', { name: 'Publish', exact: true }).click();
    await second.getByText('It is published.').waitFor();
    expect(await second.getByText(/^Off in this project/).count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'publish-marked');
    await second.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => page.locator('dialog[open]').count()).toBe(0);
    const listed = await owner.ask(`/projects/${projectId}/v1/publications`);
    const { publications } = await listed.json();
    expect(publications).toHaveLength(1);
    expect(publications[0].cid).not.toBe(cid);
    await page.goto(`${service.base}${publications[0].path}`);
    await page.getByText(/^Verified in your browser: /).waitFor();
    await page.getByText('By Bo, marked copy by owner.').first().waitFor();
    await page.getByText(/owner made a marked copy: this content from another file/).waitFor();
    await page.getByRole('region', { name: 'The history as a strip' }).getByText('marked copy').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'public-marked');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('is made from a recorded file on the page, shows its layers, and is saved with its manifest', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/record#key=${KEY}`);
    const buffer = await makePhoto({ hue: 70 });
    await recordAndOpen(page, { name: 'poster.jpg', mimeType: 'image/jpeg', buffer });
    const dialog = page.getByRole('dialog', { name: 'Make a marked copy' });
    const make = dialog.getByRole('button', { name: 'Make the marked copy' });
    expect(await dialog.getByLabel('Statement about AI').inputValue()).toBe('ai_generated');
    const options = dialog.getByLabel('Statement about AI').locator('option');
    expect(await options.allTextContents()).toEqual(['AI-generated', 'AI-edited']);
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'mark-choose');

    await holdRequests(page, '**/v1/mark');
    await make.click();
    await dialog.locator('progress').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'mark-working');
    const keepsFocus = () => dialog.evaluate((one) => one.contains(document.activeElement));
    await expect.poll(keepsFocus).toBe(true);
    expect(await dialog.getByRole('button').allTextContents()).toEqual(['Cancel']);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await make.waitFor();
    await expect.poll(keepsFocus).toBe(true);
    await Promise.all([page.waitForRequest('**/v1/mark'), make.click()]);
    const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/v1/mark'));
    await page.keyboard.press('Escape');
    await ended;
    await page.unroute('**/v1/mark');

    await page.getByRole('button', { name: 'Make a marked copy …' }).click();
    await answerPending(page);
    const sendStates = await holdRequests(page, '**/v1/compliance/marks*');
    await make.click();
    await dialog.getByRole('heading', { name: 'The marked copy is ready.' }).waitFor(SOON);
    const fingerprint = dialog.getByRole('listitem').filter({ hasText: /^Fingerprint, / });
    await fingerprint.getByText('in progress', { exact: true }).waitFor();
    await fingerprint.getByText('The service finishes this in the background.').waitFor();
    sendStates();
    await fingerprint.getByText('done', { exact: true }).waitFor(SOON);
    expect(await dialog.getByRole('listitem').allTextContents()).toEqual([
      'Signed statement in the file: done',
      expect.stringMatching(/^Fingerprint, .*: done$/),
      'Entry in the log of the service: done',
      'Invisible watermark: done',
    ]);
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'mark-done');
    await page.setViewportSize(PHONE);
    await keepPicture(page, 'mark-done-phone');
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);

    const downloading = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download the marked copy' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('poster-marked.jpg');
    const body = new FormData();
    body.set('file', new Blob([await readFile((await download.path()) ?? '')]), 'copy.jpg');
    const read = await (await service.send('/v1/media/extract', { method: 'POST', body })).json();
    expect(read.manifest).toMatchObject({ aiDisclosure: 'ai_generated' });
    expect(JSON.stringify(read.manifest)).toContain('painter-2');
    expect(read.manifest.title ?? null).toBeNull();

    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Publish …' }).click();
    const publishing = page.getByRole('dialog', { name: 'Publish this history' });
    await publishing.getByText('It has a marked copy. Publish the copy instead:').waitFor();
    await publishing.getByRole('link', { name: /^poster-marked[.]jpg / }).waitFor();
    expect(await publishing.getByText('has not marked this file').count()).toBe(0);
    expect(await publishing.getByRole('button', { name: 'Make a marked copy …' }).count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'publish-has-copy');
    await publishing.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Make a marked copy …' }).click();
    await dialog.getByRole('link', { name: 'See the history of the copy' }).click();
    await page.getByRole('application').waitFor();
    await page
      .locator('.outline')
      .getByRole('button', { name: 'Marked copy · AI-generated' })
      .first()
      .waitFor();
    const cid = page.url().split('/').at(-1) ?? '';
    const { actions } = await (await service.send(`/v1/bundle/${cid}`)).json();
    expect(actions).toHaveLength(2);
    expect((await (await service.send(`/v1/resource/${cid}`)).json()).title).toBe('poster-marked.jpg');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('can be made in the details of the history, also for a file that was recorded earlier', async () => {
    const said = {
      ...{ title: 'dawn', entity: { id: 'studio:bo', role: 'human', name: 'Bo' } },
      action: { type: 'transform', aiTool: { provider: 'Acme', model: 'painter-4' } },
    };
    const { cid } = await (await service.upload(await makePhoto({ hue: 150 }), said)).json();
    const { page, faults } = await openPage(browser, `${service.base}/app/explore/${cid}#key=${KEY}`, {
      viewport: PHONE,
    });
    await page.locator('.outline').getByRole('button', { name: /^dawn/ }).click();
    const details = page.getByRole('complementary', { name: 'Record' });
    await details.getByRole('button', { name: 'Make a marked copy …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Make a marked copy' });
    expect(await dialog.getByLabel('Statement about AI').inputValue()).toBe('ai_assisted');
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'mark-explore-phone');
    await dialog.getByRole('button', { name: 'Make the marked copy' }).click();
    await dialog.getByRole('heading', { name: 'The marked copy is ready.' }).waitFor(SOON);
    await dialog.getByRole('link', { name: 'See the history of the copy' }).click();
    await page.getByRole('heading', { name: 'dawn-marked.jpg' }).waitFor();
    const copy = page.url().split('/').at(-1) ?? '';
    expect(copy).not.toBe(cid);
    const { actions } = await (await service.send(`/v1/bundle/${copy}`)).json();
    expect(actions.at(-1)).toMatchObject({ performedBy: 'studio:bo', inputCids: [cid] });
    expect(JSON.stringify(actions.at(-1))).toContain('painter-4');
    await page
      .locator('.outline')
      .getByRole('button', { name: /^Marked copy/ })
      .first()
      .click();
    await details.getByText('painter-4', { exact: true }).waitFor();
    await page
      .locator('.outline')
      .getByRole('button', { name: /^dawn-marked[.]jpg/ })
      .click();
    await details.waitFor();
    expect(await page.getByRole('button', { name: 'Make a marked copy …' }).count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('is made only after the page knows who is signed in', async () => {
    const said = {
      ...{ title: 'dusk.jpg', entity: { id: 'studio:bo', role: 'human', name: 'Bo' } },
      action: { type: 'transform', aiTool: { provider: 'Acme', model: 'fill-2' } },
    };
    const { cid } = await (await service.upload(await makePhoto({ hue: 40 }), said)).json();
    const { page, faults } = await openPage(browser, `${service.base}/app/explore/${cid}#key=${KEY}`);
    const open = page.locator('.explore-head').getByRole('button', { name: 'Make a marked copy …' });
    await open.waitFor();
    const answer = await holdRequests(page, '**/app/api/session');
    await page.reload();
    await open.click();
    const dialog = page.getByRole('dialog', { name: 'Make a marked copy' });
    const make = dialog.getByRole('button', { name: 'Make the marked copy' });
    await make.waitFor();
    expect(await make.isDisabled()).toBe(true);
    answer();
    await expect.poll(() => make.isEnabled()).toBe(true);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('is made after a new sign-in only when the page knows the new user', async () => {
    const body = { role: 'developer' };
    const { invitation } = await (await owner.ask('/management/orgs/planet/invitations', { body })).json();
    const mia = await signUp(service, { name: 'mia', invitation });
    const { cid } = await (await recordText('A kingfisher waits above the stream.')).json();
    const address = `${service.base}/app/explore/${cid}`;
    const { page, faults } = await openPage(browser, address, asSignedIn(service.base, mia));
    await page.locator('.explore-head').getByRole('button', { name: 'Make a marked copy …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Make a marked copy' });
    const make = dialog.getByRole('button', { name: 'Make the marked copy' });
    await make.waitFor();
    await page.context().clearCookies();
    await make.click();
    const ended = page.getByRole('dialog', { name: 'Your session has ended' });
    await ended.getByLabel('Name').fill('mia');
    await ended.getByLabel('Password').fill(PASSWORD);
    let answer = () => {};
    const isHeld = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/app/api/session', async (route) => {
      if (route.request().method() === 'GET') await isHeld;
      await route.continue();
    });
    await ended.getByRole('button', { name: 'Sign in', exact: true }).click();
    await ended.waitFor({ state: 'detached' });
    expect(await make.isDisabled()).toBe(true);
    answer();
    await expect.poll(() => make.isEnabled()).toBe(true);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('is the same in the head and in the details of a history, and its credentials say how it was made', async () => {
    const buffer = await makePhoto({ hue: 250 });
    const said = {
      ...{ title: 'coast.jpg', entity: { id: 'studio:bo', role: 'human', name: 'Bo' } },
      action: { type: 'transform', aiTool: { provider: 'Acme', model: 'fill-2' } },
    };
    const { cid } = await (await service.upload(buffer, said)).json();
    const { page, faults } = await openPage(browser, `${service.base}/app/explore/${cid}#key=${KEY}`);
    await page
      .locator('.outline')
      .getByRole('button', { name: /^coast/ })
      .click();
    const details = page.getByRole('complementary', { name: 'Record' });
    await details.getByRole('button', { name: 'Make a marked copy …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Make a marked copy' });
    await dialog.getByRole('button', { name: 'Make the marked copy' }).click();
    const ready = dialog.getByRole('heading', { name: 'The marked copy is ready.' });
    await ready.waitFor(SOON);
    const history = dialog.getByRole('link', { name: 'See the history of the copy' });
    const copyPath = (await history.getAttribute('href')) ?? '';
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.locator('.explore-head').getByRole('button', { name: 'Make a marked copy …' }).click();
    await ready.waitFor();
    expect(await history.getAttribute('href')).toBe(copyPath);
    await dialog.getByRole('button', { name: 'Close' }).click();

    const copy = await service.send(`/v1/resource/${copyPath.split('/').at(-1)}/content`);
    const file = { name: 'c.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(await copy.arrayBuffer()) };
    await page.goto(`${service.base}/app/check#key=${KEY}`);
    await page.getByLabel('Drop a file').setInputFiles(file);
    const credentials = page.locator('section.card', {
      has: page.getByRole('heading', { name: 'Content Credentials in the file' }),
    });
    await credentials.getByText('Created (AI-edited)', { exact: true }).waitFor();
    await credentials.getByText('Marked with an invisible watermark', { exact: true }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'mark-credentials');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('is not made by a member who can only read, and the dialog says whom to ask', async () => {
    const body = { role: 'viewer' };
    const { invitation } = await (await owner.ask('/management/orgs/planet/invitations', { body })).json();
    const viewer = await signUp(service, { name: 'viewer', invitation });
    const { cid } = await (await recordText('a text by a tool')).json();
    const { page, faults } = await openPage(
      browser,
      `${service.base}/app/explore/${cid}`,
      asSignedIn(service.base, viewer),
    );
    const head = page.locator('.explore-head');
    await head.getByRole('button', { name: 'Make a marked copy …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Make a marked copy' });
    await dialog.getByText('You can only read in the project Front page').waitFor();
    expect(await dialog.getByRole('button', { name: 'Make the marked copy' }).count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('is not made for a format without marks, and the record stays unchanged', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/record#key=${KEY}`, {
      viewport: PHONE,
    });
    const buffer = Buffer.from([0x50, 0x4b, 5, 6, ...new Array(18).fill(0)]);
    await recordAndOpen(page, { name: 'pack.zip', mimeType: 'application/zip', buffer });
    const count = async () => (await (await service.send('/v1/actions')).json()).actions.length;
    const before = await count();
    await keepPicture(page, 'mark-choose-phone');
    await page.getByRole('button', { name: 'Make the marked copy' }).click();
    const fault = page.getByRole('dialog').getByRole('alert');
    await fault.getByText('The service cannot put marks into a file of this format.').waitFor(SOON);
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'mark-unsupported');
    expect(await count()).toBe(before);
    await page.getByRole('button', { name: 'Make the marked copy' }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
