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
import { makePhoto } from '../support/photo.js';

const ANN = { role: 'human', name: 'Ann Quill' };
const OTHER_FILE = fileURLToPath(new URL('../support/browser.ts', import.meta.url));

describe('a published history', () => {
  let service: Service;
  let browser: Browser;
  let cid: string;
  let photo: Buffer;
  beforeAll(async () => {
    [service, browser, photo] = await Promise.all([startService(ANY_ENGINE), openBrowser(), makePhoto()]);
    cid = await record();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  async function record(): Promise<string> {
    const upload = async (content: string | Uint8Array, json: object) =>
      (await service.upload(content, json)).json();
    const sketch = await upload('a sketch', { entity: { role: 'human', name: 'Ann Quill' } });
    const ai = { 'ext:ai@1.0.0': { provider: 'Acme', model: 'painter', prompt: 'a heron at dawn' } };
    const painted = await upload('a painting', {
      entity: { role: 'ai', name: 'Painter' },
      action: { type: 'generate', inputCids: [sketch.cid], extensions: ai },
    });
    const finished = await upload(photo, {
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
      const id = await publish({ title: 'Heron at dawn', withhold: ['wallets'], picture: true });
      const { page, faults } = await openPage(browser, `${service.base}/app/p/${id}`, look);
      await page.getByRole('heading', { level: 1, name: 'Heron at dawn' }).waitFor();
      await page.getByText(/^Edited by Ann Quill from work by .+\. AI tools in its history/).waitFor();
      await page.getByText('AI in sources', { exact: true }).waitFor();
      expect(await page.locator('time').count()).toBeGreaterThan(3);
      expect(await page.locator('time:not([title])').count()).toBe(0);
      const picture = page.getByRole('img', { name: 'The published picture: Heron at dawn' });
      await expect.poll(() => picture.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(640);
      await page.getByText(/Verified in your browser: \d+ records/).waitFor();
      await page
        .getByText('The records are statements of Ann Quill. Nobody checked whether they are true.')
        .waitFor();
      await page.getByRole('region', { name: 'The history as a strip' }).getByText('generated').waitFor();
      await page.getByRole('heading', { name: 'Who took part' }).waitFor();
      await page.getByText('This link leaves out: wallets, further details.').waitFor();
      const wide = page.getByRole('columnheader', { name: 'Note' });
      expect(await wide.isVisible()).toBe(name !== 'phone');
      await page.getByText('finished by hand').waitFor();
      expect(await page.title()).toBe('Heron at dawn · Colophon');
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
      expect(await findBarriers(page)).toEqual([]);
      await keepPicture(page, `public-${name}`);
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );

  it('names the maker who states that no AI was used, beside the level of AI', async () => {
    const extensions = { 'ext:mark@1.0.0': { aiDisclosure: null, generator: { name: 'unknown' } } };
    const record = async (content: string, action: object) => {
      const entity = { role: 'human', name: 'Ann Quill' };
      return (await (await service.upload(content, { entity, action })).json()).cid;
    };
    const drawn = await record('drawn by hand', { type: 'create', extensions });
    const aiTool = { provider: 'Acme', model: 'painter' };
    const sky = await record('a sky', { type: 'generate', aiTool });
    const joined = await record('drawn under a sky', { type: 'transform', inputCids: [sky], extensions });
    const label = async (content: string, look = {}) => {
      const { page, faults } = await openPage(
        browser,
        `${service.base}/app/p/${await publish({ cid: content })}`,
        look,
      );
      await page.getByText(/Verified in your browser/).waitFor();
      const texts = await page.locator('.ai-label > span').allTextContents();
      expect(await findBarriers(page)).toEqual([]);
      await keepPicture(
        page,
        `public-statement-${content.slice(-4)}-${'viewport' in look ? 'phone' : 'wide'}`,
      );
      expect(faults).toEqual([]);
      await page.context().close();
      return texts;
    };
    expect(await label(drawn)).toEqual(['Made without AI by Ann Quill, as its record states']);
    expect(await label(sky)).toEqual(['AI-generated', 'Its record states this.']);
    const both = [
      'AI in sources',
      'Its record states this. Made without AI by Ann Quill, as its record states for this file, but not for its sources.',
    ];
    expect(await label(joined)).toEqual(both);
    expect(await label(joined, { viewport: { width: 390, height: 844 } })).toEqual(both);
    const framed = await record('drawn and framed', { type: 'transform', inputCids: [drawn] });
    const { page } = await openPage(browser, `${service.base}/app/p/${await publish({ cid: framed })}`);
    await page.getByText(/Verified in your browser/).waitFor();
    const stated = page.locator('.public-steps > li', {
      hasText: 'Made without AI by Ann Quill, as its record states',
    });
    expect(await stated.count()).toBe(1);
    await page.context().close();
  });

  it('is verified against the log in the browser, and compared with a file', async () => {
    const id = await publish({ withhold: ['names', 'notes', 'prompts'] });
    const { page, faults } = await openPage(browser, `${service.base}/app/p/${id}`);
    await page.getByText(/Checked: all \d+ records are in the log/).waitFor();
    const box = page.locator('.notice').filter({ hasText: 'No recorded step was left out.' });
    await box.getByText('The records are statements of the people who took part.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Origin of a picture', exact: true }).waitFor();
    expect(await page.getByRole('columnheader').allTextContents()).toEqual(['Who', 'Role', 'For', 'Weight']);
    await page.getByLabel('Drop your file').setInputFiles(OTHER_FILE);
    await page.getByText('Your file is not exactly the published file.').waitFor();
    await page
      .getByLabel('Drop your file')
      .setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: photo });
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
    await page.route(`**/app/p/${id}`, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replaceAll('Ann Quill', 'Bo Forger'),
      });
    });
    await page.goto(`${service.base}/app/p/${id}`);
    await page.getByText(/^Edited by Bo Forger from work by/).waitFor();
    await page.getByRole('heading', { level: 1, name: 'Origin of a picture (Bo Forger)' }).waitFor();
    await page.getByText('The check of this history failed').waitFor();
    await page.getByText('The history shown here differs from the log.').waitFor();
    await page.context().close();
  });

  it('is readable without JavaScript', async () => {
    const id = await publish({ title: 'Without scripts', withhold: ['wallets'], picture: true });
    const { page, faults } = await openPage(browser, `${service.base}/app/p/${id}`, {
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    });
    await page.getByRole('heading', { level: 1, name: 'Without scripts' }).waitFor();
    await page.getByText('AI in sources').waitFor();
    const picture = await page.getByRole('img', { name: 'Without scripts' }).boundingBox();
    expect((picture?.x ?? 390) + (picture?.width ?? 0)).toBeLessThanOrEqual(390);
    expect(
      await page.getByRole('listitem').filter({ hasText: 'Painter generated another file' }).count(),
    ).toBe(1);
    await keepPicture(page, 'public-without-scripts');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it.each([1280, 390])(
    'shows no arrow between separate sources, also without JavaScript: %i px',
    async (width) => {
      const upload = async (content: string, action: object) =>
        (await (await service.upload(`${content} ${width}`, { entity: ANN, action })).json()).cid;
      const sketch = await upload('sketch', { type: 'create' });
      const [edit, painting] = [
        await upload('edit', { type: 'transform', inputCids: [sketch] }),
        await upload('painting', { type: 'generate' }),
      ];
      const joined = await upload('joined', { type: 'aggregate', inputCids: [edit, painting] });
      const id = await publish({ cid: joined });
      const address = `${service.base}/app/p/${id}`;
      const { page, faults } = await openPage(browser, address, { viewport: { width, height: 844 } });
      const strip = page.getByRole('region', { name: 'The history as a strip' });
      await strip.waitFor();
      const drawn = await strip.locator('ol').evaluateAll((rows) =>
        rows.map((row) => {
          const { top, bottom } = row.getBoundingClientRect();
          const arrows = [...row.children].map((step) => getComputedStyle(step, '::before').content);
          return { top, bottom, hasArrow: arrows.map((content) => content.includes('→')) };
        }),
      );
      expect(drawn.map(({ hasArrow }) => hasArrow)).toEqual([[false, true], [false], [true]]);
      const [first, second, third] = drawn;
      expect(second?.top).toBeGreaterThanOrEqual(first?.bottom ?? Number.POSITIVE_INFINITY);
      expect(third?.top).toBeGreaterThanOrEqual(second?.bottom ?? Number.POSITIVE_INFINITY);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
      expect(await findBarriers(page)).toEqual([]);
      await keepPicture(page, `public-rows-${width}`);
      expect(await (await fetch(address)).text()).not.toContain('→');
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );

  it.each(LOOKS)('has a certificate with a QR code to print: $name', async ({ name, ...look }) => {
    const id = await publish({ title: 'Certified', withhold: ['wallets'] });
    const { page, faults } = await openPage(browser, `${service.base}/app/p/${id}`, look);
    await page.getByText(/Verified in your browser/).waitFor();
    await page.getByRole('button', { name: 'Certificate to print …' }).click();
    const certificate = page.getByRole('region', { name: 'Certificate' });
    await certificate.getByRole('img', { name: 'QR code of the link' }).waitFor();
    await certificate.getByText(`${service.base}/app/p/${id}`).waitFor();
    await certificate.getByText('This address works only on this computer.').waitFor();
    await certificate.getByText(/This browser checked \d+ records/).waitFor();
    await certificate.getByText('shows the published history, and each browser can check it.').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, `certificate-${name}`);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('heading', { level: 1, name: 'Certified' }).isVisible()).toBe(false);
    expect(await certificate.isVisible()).toBe(true);
    expect(await page.getByRole('heading', { level: 2, name: 'Certificate' }).isVisible()).toBe(true);
    const label = certificate.locator('.ai-words');
    expect(await label.evaluate((element) => getComputedStyle(element).color)).toBe('rgb(26, 26, 26)');
    const pdf = (await page.pdf()).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
    await keepPicture(page, `certificate-printed-${name}`);
    expect(faults).toEqual([]);
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
    await page
      .getByLabel('Drop a file')
      .setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: photo });
    await page.getByText('This exact file is recorded here.', { exact: true }).waitFor();
    await page.getByText(/^AI in sources\. Edited by a person from work by /).waitFor();
    expect(await page.content()).not.toContain('Ann Quill');
    await page.getByLabel('Drop a file').setInputFiles(OTHER_FILE);
    await page.getByText('No project that lets everybody check files has a record of this file.').waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('has a dialog that calls verification unknown if the key cannot read the history', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/explore/${cid}#key=${KEY}`);
    const open = page.getByRole('button', { name: 'Publish …' });
    await open.waitFor();
    const error = { code: 'Forbidden', message: 'This key cannot read histories.', requestId: 'r' };
    await page.route('**/bundle/**', (route) => route.fulfill({ status: 403, json: { error } }));
    await open.click();
    await page.getByText('It is not known whether readers can verify this history.').waitFor();
    await page.getByText(error.message).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('is published and ended in a dialog next to the picture of the history', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/#key=${KEY}`);
    await page.goto(`${service.base}/app/explore/${cid}`);
    await page.getByRole('button', { name: 'Publish …' }).click();
    await page
      .getByRole('button', { name: 'Use the title of the file as the headline: “photo.jpg”' })
      .click();
    const headline = page.getByLabel('Headline of the public page (optional)');
    expect(await headline.inputValue()).toBe('photo.jpg');
    await headline.fill('From the dialog');
    expect(await page.getByRole('dialog').getByLabel(/title/i).count()).toBe(1);
    expect(await page.getByLabel(/^Titles of files, as in your library/).count()).toBe(1);
    const boxes = page.getByRole('group', { name: 'Show on the public page' }).getByRole('checkbox');
    expect(await boxes.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).checked))).toEqual([
      ...[false, false, false, true, false, false, false, false, false],
    ]);
    const withoutAi = page.getByText('will say that the use of AI is not disclosed');
    await page.getByLabel('AI tools that were used').uncheck();
    await withoutAi.waitFor();
    await page.getByText('AI tools are left out.').waitFor();
    await page.getByLabel('AI tools that were used').check();
    await withoutAi.waitFor({ state: 'detached' });
    const unverifiable = page.getByText('Readers cannot verify this history.');
    await unverifiable.waitFor({ state: 'detached' });
    await page.getByLabel('People', { exact: true }).selectOption('pseudonyms');
    await unverifiable.waitFor();
    await page.getByText('People appear only under pseudonyms.').waitFor();
    await page.getByLabel('People', { exact: true }).selectOption('names');
    await unverifiable.waitFor({ state: 'detached' });
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'publish-dialog');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('It is published.').waitFor();
    await page.getByText('This address works only on this computer.').first().waitFor();
    const link = (await page.getByRole('link', { name: 'View', exact: true }).getAttribute('href')) ?? '';
    const code = await page.getByRole('dialog').locator('code').nth(1).textContent();
    expect(code).toContain(`data-colophon="${link.split('/').at(-1)}"`);
    expect(code).toContain('role="img" aria-label="AI"');
    await page.getByText('The AI label is the sentence below the picture').waitFor();
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
    const notice = page.getByRole('dialog').locator('.notice', { hasText: 'Published already' });
    await notice.getByRole('link', { name: 'View From the dialog' }).waitFor();
    const bottom = await notice.evaluate((one) => one.getBoundingClientRect().bottom);
    expect(bottom).toBeLessThan(await headline.evaluate((one) => one.getBoundingClientRect().top));
    await keepPicture(page, 'publish-again');
    await page.getByRole('button', { name: 'End: From the dialog' }).click();
    await page.getByText('An AI label that somebody copied into these sites as HTML will stay.').waitFor();
    await page.getByRole('button', { name: 'Keep it' }).click();
    expect((await fetch(link)).status).toBe(200);
    await page.getByRole('button', { name: 'End: From the dialog' }).click();
    await page.getByRole('button', { name: 'End the link' }).click();
    await page.getByText('The link has ended.').waitFor();
    expect((await fetch(link)).status).toBe(404);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'End: From the dialog' }).waitFor();
    expect((await fetch(link)).status).toBe(200);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it.each(LOOKS)('is in the list of all links of its project: $name', async ({ name, ...look }) => {
    const title = `Listed in ${name}`;
    const id = await publish({ title });
    const { page, faults } = await openPage(browser, `${service.base}/app/#key=${KEY}`, look);
    await page.goto(`${service.base}/app/links`);
    await page.getByRole('heading', { level: 1, name: 'Published links' }).waitFor();
    await page.getByText('This address works only on this computer.').waitFor();
    const own = page.getByRole('listitem').filter({ hasText: title });
    await own.getByText(/^published on .+ at \d\d:\d\d$/).waitFor();
    await own.getByText('without an end date').waitFor();
    await own.getByText('Shows: names and AI tools', { exact: true }).waitFor();
    await own.locator('.thumbnail').waitFor();
    await page.getByRole('link', { name: 'View photo.jpg' }).first().waitFor();
    expect(await own.getByRole('link', { name: `View ${title}` }).getAttribute('href')).toBe(`/app/p/${id}`);
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    await own.getByRole('button', { name: `End: ${title}` }).click();
    await keepPicture(page, `links-${name}`);
    await own.getByRole('button', { name: 'End the link' }).click();
    await own.getByText(/ended on/).waitFor();
    expect((await fetch(`${service.base}/app/p/${id}`)).status).toBe(404);
    await page.reload();
    await own.getByRole('button', { name: 'Undo' }).click();
    await own.getByRole('button', { name: `End: ${title}` }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
