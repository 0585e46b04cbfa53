import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
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

const OTHER_FILE = fileURLToPath(new URL('../support/browser.ts', import.meta.url));
const FILE = fileURLToPath(import.meta.url);

describe('a published history', () => {
  let service: Service;
  let browser: Browser;
  let cid: string;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(ANY_ENGINE), openBrowser()]);
    cid = await record();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  /** Records a history: a person sketches, an AI paints, the person finishes. */
  async function record(): Promise<string> {
    const upload = async (content: string | Uint8Array, json: object) =>
      (await service.upload(content, json)).json();
    const sketch = await upload('a sketch', { entity: { role: 'human', name: 'Ann Quill' } });
    const ai = { 'ext:ai@1.0.0': { provider: 'Acme', model: 'painter', prompt: 'a heron at dawn' } };
    const painted = await upload('a painting', {
      entity: { role: 'ai', name: 'Painter' },
      action: { type: 'generate', inputCids: [sketch.cid], extensions: ai },
    });
    const finished = await upload(await readFile(FILE), {
      entity: { role: 'human', name: 'Ann Quill' },
      action: { type: 'transform', inputCids: [painted.cid] },
      resourceType: 'image',
      attribution: { weight: 2, note: 'finished by hand' },
    });
    return finished.cid;
  }
  const publish = async (terms: object = {}): Promise<string> =>
    (await (await service.send('/v1/publications', jsonPost({ cid, ...terms }))).json()).id;

  it.each(LOOKS)(
    'is readable without a key, and has no script errors or accessibility problems: $name',
    async ({ name, ...look }) => {
      const id = await publish({ title: 'Heron at dawn', withhold: ['wallets'] });
      const { page, faults } = await openPage(browser, `${service.base}/app/p/${id}`, look);
      await page
        .getByRole('heading', { level: 1, name: 'Made by Ann Quill. AI was used in its sources' })
        .waitFor();
      await page.getByText('Heron at dawn', { exact: true }).waitFor();
      await page.getByRole('heading', { name: 'Who took part' }).waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await keepPicture(page, `public-${name}`);
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );

  it('is verified against the log in the browser, and compared with a file', async () => {
    const id = await publish({ withhold: ['names', 'notes', 'prompts'] });
    const { page, faults } = await openPage(browser, `${service.base}/app/p/${id}`);
    await page.getByRole('button', { name: 'Check it in this browser' }).click();
    await page.getByText(/Checked: all \d+ records are in the log/).waitFor();
    await page.getByText('No step that leads to this content was left out.').waitFor();
    await page.getByLabel('Drop your file').setInputFiles(OTHER_FILE);
    await page.getByText('Your file is not exactly the published file.').waitFor();
    await page.getByLabel('Drop your file').setInputFiles(FILE);
    await page.getByText('Your file is exactly the published file.').waitFor();
    expect(await page.content()).not.toContain('Ann Quill');
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'public-checked');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('is rejected if it differs from its proof', async () => {
    const id = await publish({ withhold: ['wallets'] });
    const { page } = await openPage(browser, `${service.base}/app/`);
    await page.route(`**/app/api/public/${id}`, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replaceAll('Ann Quill', 'Bo Forger'),
      });
    });
    await page.goto(`${service.base}/app/p/${id}`);
    await page.getByRole('heading', { level: 1, name: 'Made by Bo Forger' }).waitFor();
    await page.getByRole('button', { name: 'Check it in this browser' }).click();
    await page.getByText('The history shown here differs from the log.').waitFor();
    await page.context().close();
  });

  it('states that participants are hidden, and that verification is impossible', async () => {
    const id = await publish({ hiddenEntities: 'all' });
    const { page, faults } = await openPage(browser, `${service.base}/app/p/${id}`);
    await page.getByText('2 participants are shown under pseudonyms.').waitFor();
    await page.getByText('You have to trust this service.').waitFor();
    expect(await page.content()).not.toContain('Ann Quill');
    await keepPicture(page, 'public-hidden');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('shows a notice after the publication has ended', async () => {
    const id = await publish();
    await service.send(`/v1/publications/${id}`, { method: 'DELETE' });
    const { page } = await openPage(browser, `${service.base}/app/p/${id}`);
    await page.getByRole('heading', { level: 1, name: 'Nothing is published here' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.context().close();
  });

  it('is summarised without a key for a person with the file, in a project with public checks', async () => {
    const { projectId } = (await (
      await service.manage('operator', '/auth/validate-key', { body: { key: KEY } })
    ).json()) as { projectId: string };
    const body = { publicChecks: true };
    expect((await service.manage('operator', `/projects/${projectId}`, { method: 'PUT', body })).status).toBe(
      200,
    );
    const { page, faults } = await openPage(browser, `${service.base}/app/`);
    await page.getByLabel('Drop a file').setInputFiles(FILE);
    await page
      .getByText('This exact file is recorded here. Made by a person. AI was used in its sources')
      .waitFor();
    expect(await page.content()).not.toContain('Ann Quill');
    await page.getByLabel('Drop a file').setInputFiles(OTHER_FILE);
    await page.getByText('No project with public checks has a record of this file.').waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('is published and ended in a dialog next to the picture of the history', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/#key=${KEY}`);
    await page.goto(`${service.base}/app/explore/${cid}`);
    await page.getByRole('button', { name: 'Publish …' }).click();
    await page.getByLabel('Title (optional)').fill('From the dialog');
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'publish-dialog');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('It is published.').waitFor();
    const link = (await page.getByRole('link', { name: 'View', exact: true }).getAttribute('href')) ?? '';
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'publish-done');
    const shown = await (await fetch(link.replace('/app/p/', '/app/api/public/'))).json();
    expect(shown).toMatchObject({
      expiresAt: null,
      title: 'From the dialog',
      withheld: ['wallets', 'metadata', 'notes', 'prompts', 'details'],
    });
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Publish …' }).click();
    await page.getByRole('button', { name: 'End: From the dialog' }).click();
    await page.getByText('The publication has ended.').waitFor();
    expect((await fetch(link.replace('/app/p/', '/app/api/public/'))).status).toBe(404);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
