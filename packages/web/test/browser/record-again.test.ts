import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANY_ENGINE, KEY, type Service, startService } from '../../../server/test/support/service.js';
import { findBarriers, keepPicture, openBrowser, openPage } from '../support/browser.js';
import { makePhoto } from '../support/photo.js';

describe('the page `Record a file` for a recorded file', () => {
  let service: Service;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(ANY_ENGINE), openBrowser()]);
    for (const hue of [10, 30])
      await service.upload(await makePhoto({ hue }), {
        entity: { id: 'studio:bo', role: 'human', name: 'Bo' },
      });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  it('adds corrected entries about a recorded file as a further step of its history', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/record#key=${KEY}`);
    const file = { name: 'wrong.jpg', mimeType: 'image/jpeg', buffer: await makePhoto({ hue: 130 }) };
    const fill = async (model: string) => {
      await page.getByLabel('Drop the file to record').setInputFiles(file);
      await page.getByLabel('Person, organisation or AI system').selectOption('studio:bo');
      await page.getByLabel('What they did').selectOption({ label: 'They generated it with AI' });
      await page.getByLabel('Company that offers the AI').fill('Acme');
      await page.getByLabel('Name of the AI model').fill(model);
    };
    await fill('painter-1');
    await page.getByRole('button', { name: 'Record it' }).click();
    await page.getByRole('heading', { name: 'It is recorded.' }).waitFor();
    await page.getByRole('button', { name: 'Record another file' }).click();
    await fill('painter-2');
    await page.getByText('This exact file is already recorded').waitFor();
    await page.getByText('Is an entry wrong? Then correct it').waitFor();
    await page.getByText('This form adds a further entry, and corrects none.').waitFor();
    await page.getByText('You cannot change a record later, but you can add a corrected entry.').waitFor();
    expect(await page.getByLabel('Title', { exact: true }).count()).toBe(0);
    await page.getByLabel('Prompt').fill('a red sky');
    await page.getByText('Add a note, a date or a licence').click();
    await page.getByLabel('Note').fill('The first entry has the wrong model.');
    await page.getByLabel('Licence').fill('CC-BY-4.0');
    await page.getByLabel('Drop the source files here').setInputFiles(file);
    await page.getByText('A file cannot be its own source.').waitFor();
    const history = page.getByRole('main').getByRole('link', { name: 'See its history' });
    const cid = (await history.getAttribute('href'))?.split('/').at(-1) ?? '';
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'record-correction');
    await page.getByRole('button', { name: 'Add this entry to its history' }).click();
    await page.getByRole('heading', { name: 'Your entry is added to the history of this file.' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'record-correction-done');
    const { actions, attributions, resources } = await (await service.send(`/v1/bundle/${cid}`)).json();
    const byModel = (model: string) =>
      actions.find((action: { aiTool: { model: string } }) => action.aiTool.model === model);
    expect(actions).toHaveLength(2);
    expect(byModel('painter-1')).toMatchObject({ outputCids: [cid], performedBy: 'studio:bo' });
    expect(byModel('painter-2')).toMatchObject({
      type: 'generate',
      ...{ inputCids: [], outputCids: [cid], performedBy: 'studio:bo' },
      aiTool: { provider: 'Acme', model: 'painter-2' },
      extensions: {
        'ext:ai@1.0.0': { provider: 'Acme', model: 'painter-2', prompt: 'a red sky' },
        'ext:license@1.0.0': { type: 'CC-BY-4.0' },
      },
    });
    const note = { actionId: byModel('painter-2').id, note: 'The first entry has the wrong model.' };
    expect(attributions).toContainEqual(expect.objectContaining(note));
    expect(resources).toEqual([expect.objectContaining({ cid, type: 'image', mimeType: 'image/jpeg' })]);
    expect((await (await service.send(`/v1/resource/${cid}`)).json()).title).toBe('wrong.jpg');
    await history.click();
    const steps = page.locator('.outline').getByRole('button', { name: /^Generated/ });
    await steps.nth(1).waitFor();
    await steps.first().click();
    await page
      .getByRole('complementary', { name: 'Record' })
      .getByRole('link', { name: 'Correct an entry' })
      .click();
    await page.getByRole('heading', { name: 'Correct an entry: wrong.jpg' }).waitFor();
    await page.getByLabel('What they did').selectOption({ label: 'They made it themselves' });
    for (const label of ['Company that offers the AI', 'Name of the AI model', 'Prompt'])
      await page.getByLabel(label).fill('');
    await page.getByLabel('Person, organisation or AI system').selectOption('');
    await page.getByLabel('Name', { exact: true }).fill('Flo');
    await page.getByText('Flo made this file.').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'record-correction-linked');
    // The service records the step, but the responses are lost. The user's second attempt must not record it again.
    await page.route('**/v1/batch', (route) => route.fetch().then(() => route.abort()));
    await page.getByRole('button', { name: 'Add the correction' }).click();
    await page.locator('.record-form .notice.danger').waitFor();
    await page.unroute('**/v1/batch');
    await page.getByRole('button', { name: 'Add the correction' }).click();
    await page
      .getByRole('heading', { name: 'Your correction is added to the history of this file.' })
      .waitFor();
    const bundle = await (await service.send(`/v1/bundle/${cid}`)).json();
    expect(bundle.actions).toHaveLength(3);
    expect(bundle.entities.map(({ name }: { name: string }) => name).sort()).toEqual(['Bo', 'Flo']);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('asks whether to correct the entry of a recorded file, or to add a further maker', async () => {
    const buffer = await makePhoto({ hue: 250 });
    const { cid, actionId } = await (await service.upload(buffer, { entity: { id: 'studio:bo' } })).json();
    const { page, faults } = await openPage(browser, `${service.base}/app/record#key=${KEY}`);
    await page
      .getByLabel('Drop the file to record')
      .setInputFiles({ name: 'known.jpg', mimeType: 'image/jpeg', buffer });
    await page.getByLabel('Name', { exact: true }).fill('Hal');
    await page.getByText('This form adds a further maker. The makers then share the credit.').waitFor();
    await page.getByRole('button', { name: 'Add as a further maker' }).waitFor();
    await page.getByLabel('What they did').selectOption({ label: 'Imported; original author unknown' });
    await page.getByRole('button', { name: 'Add this entry to its history' }).waitFor();
    await page.getByText('This form adds a further entry, and corrects none.').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'record-already');
    const correct = page.getByRole('link', { name: 'Correct the last entry' });
    expect(await correct.getAttribute('href')).toContain(`/record?cid=${cid}&step=${actionId}`);
    page.on('dialog', (dialog) => dialog.accept());
    await correct.click();
    await page.getByRole('heading', { name: /^Correct an entry/ }).waitFor();
    await page.getByRole('button', { name: 'Add the correction' }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('keeps the entries about a file that another recording stored meanwhile, and adds them to its history', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/record#key=${KEY}`);
    const buffer = await makePhoto({ hue: 290 });
    const checked = page.waitForResponse(/\/v1\/bundle\//);
    await page
      .getByLabel('Drop the file to record')
      .setInputFiles({ name: 'again.jpg', mimeType: 'image/jpeg', buffer });
    await checked;
    const { cid } = await (await service.upload(buffer, { entity: { id: 'studio:bo' } })).json();
    await page.getByLabel('Person, organisation or AI system').selectOption('');
    await page.getByLabel('Name', { exact: true }).fill('Gus');
    await page.getByRole('button', { name: 'Record it' }).click();
    await page.getByRole('alert').getByText('This exact file is already recorded').waitFor();
    await page.getByText('This form adds a further maker. The makers then share the credit.').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Gus');
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add as a further maker' }).click();
    await page.getByRole('heading', { name: 'Your entry is added to the history of this file.' }).waitFor();
    const { actions } = await (await service.send(`/v1/bundle/${cid}`)).json();
    expect(actions).toHaveLength(2);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
