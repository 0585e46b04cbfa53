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

const TOOL = { provider: 'Acme', model: 'painter-1' };
const STEP = {
  type: 'generate',
  aiTool: TOOL,
  timestamp: '2026-11-21T09:30:17.250Z',
  extensions: {
    'ext:ai@1.0.0': { ...TOOL, prompt: 'a red sky' },
    'ext:license@1.0.0': { type: 'CC-BY-4.0' },
  },
};

/** The headings after the correction of two files, and of a single file. */
const SAYINGS = {
  several: {
    English: 'Your correction is added to the history of 2 files.',
    Deutsch: 'Ihre Berichtigung ist dem Verlauf von 2 Dateien hinzugefügt.',
    Français: 'Votre correction est ajoutée à l’historique de 2 fichiers.',
    Español: 'Su corrección se añadió al historial de 2 archivos.',
    Italiano: 'La Sua correzione è stata aggiunta alla storia di 2 file.',
    Polski: 'Twoja poprawka została dodana do historii 2 plików.',
  },
  single: {
    English: 'Your correction is added to the history of this file.',
    Deutsch: 'Ihre Berichtigung ist dem Verlauf dieser Datei hinzugefügt.',
    Français: 'Votre correction est ajoutée à l’historique de ce fichier.',
    Español: 'Su corrección se añadió al historial de este archivo.',
    Italiano: 'La Sua correzione è stata aggiunta alla storia di questo file.',
    Polski: 'Twoja poprawka została dodana do historii tego pliku.',
  },
};

describe('the form that corrects a step', () => {
  let service: Service;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(ANY_ENGINE), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const record = async (hue: number, title: string, json: object) => {
    const answer = await service.upload(await makePhoto({ hue }), { ...json, title });
    return (await answer.json()) as { cid: string; actionId: string };
  };

  it.each(LOOKS)('begins with all values of the newest step: $name', async ({ name, ...look }) => {
    const hue = 20 + LOOKS.findIndex((one) => one.name === name) * 60;
    const entity = { id: 'studio:bo', role: 'human', name: 'Bo' };
    const source = await record(hue, 'sketch.jpg', { entity });
    const action = { ...STEP, inputCids: [source.cid] };
    const { cid, actionId } = await record(hue + 30, 'poster.jpg', {
      entity,
      action,
      attribution: { note: 'For the fair' },
    });
    const { page, faults } = await openPage(browser, `${service.base}/app/explore/${cid}#key=${KEY}`, look);
    const correct = page.locator('.explore-head').getByRole('link', { name: 'Correct an entry' });
    await correct.click();
    await page.getByRole('heading', { name: 'Correct an entry: poster.jpg' }).waitFor();
    await page.getByText('Both entries stay in the history with their dates.').waitFor();
    await page.getByRole('button', { name: 'Add the correction' }).waitFor();
    const readField = (label: string) => page.getByLabel(label, { exact: true }).inputValue();
    const readFields = (...labels: string[]) => Promise.all(labels.map(readField));
    expect(await readFields('Person, organisation or AI system', 'What they did')).toEqual([
      'studio:bo',
      'generate',
    ]);
    expect(
      await readFields('Company that offers the AI', 'Name of the AI model', 'Prompt (optional)', 'Licence'),
    ).toEqual(['Acme', 'painter-1', 'a red sky', 'CC-BY-4.0']);
    expect(await readField('Note')).toBe('For the fair');
    expect(new Date(await readField('Date and time when it was made'))).toEqual(
      new Date('2026-11-21T09:30Z'),
    );
    await page.getByRole('button', { name: /^Remove sketch\.jpg/ }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, `correction-${name}`);
    await page.getByLabel('Name of the AI model').fill('painter-2');
    await page.getByRole('button', { name: 'Add the correction' }).click();
    await page
      .getByRole('heading', { name: 'Your correction is added to the history of this file.' })
      .waitFor();
    const { actions, attributions } = await (await service.send(`/v1/bundle/${cid}`)).json();
    const added = actions.find(
      ({ id, outputCids }: (typeof actions)[0]) => id !== actionId && outputCids[0] === cid,
    );
    const tool = { provider: 'Acme', model: 'painter-2' };
    expect(added).toMatchObject({
      ...action,
      performedBy: 'studio:bo',
      aiTool: tool,
      extensions: {
        ...action.extensions,
        'ext:ai@1.0.0': { ...tool, prompt: 'a red sky' },
        'ext:correction@1.0.0': { actionId },
      },
    });
    expect(attributions).toContainEqual(
      expect.objectContaining({ actionId: added.id, note: 'For the fair' }),
    );
    await page.getByRole('main').getByRole('link', { name: 'See its history' }).click();
    await page
      .locator('.outline')
      .getByText(/^Corrects the entry of .*2026/)
      .waitFor();
    expect(await correct.getAttribute('href')).toContain(`step=${added.id}`);
    await keepPicture(page, `correction-history-${name}`);
    expect(await findBarriers(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('replaces the maker in the verdict, the public page and the credit split and the library', async () => {
    const buffer = await makePhoto({ hue: 150 });
    const people = [
      { id: 'studio:anna', role: 'human', name: 'Anna' },
      { id: 'studio:ben', role: 'human', name: 'Ben' },
    ] as const;
    const said = { entity: people[0], title: 'harbour.jpg' };
    const { cid, actionId } = await (await service.upload(buffer, said)).json();
    await service.send('/v1/entity', jsonPost(people[1]));
    const terms = { cid, title: 'Harbour', withhold: ['wallets'] };
    const { id } = await (await service.send('/v1/publications', jsonPost(terms))).json();

    const { page, faults } = await openPage(browser, `${service.base}/app/explore/${cid}#key=${KEY}`);
    await page.locator('.explore-head').getByRole('link', { name: 'Correct an entry' }).click();
    // The record states no date of its own, so the correction keeps the date.
    const date = page.getByLabel('Date and time when it was made');
    expect(await date.inputValue()).toBe('');
    await page.getByText('Leave this empty to keep the date of the entry that you correct.').waitFor();
    await page.getByLabel('Person, organisation or AI system').selectOption('studio:ben');
    await page.getByRole('button', { name: 'Add the correction' }).click();
    await page.getByRole('heading', { name: 'Your correction is added' }).waitFor();
    const times = (await (await service.send(`/v1/bundle/${cid}`)).json()).actions;
    expect(new Set(times.map(({ timestamp }: { timestamp: string }) => timestamp)).size).toBe(1);
    await page.getByRole('main').getByRole('link', { name: 'See its history' }).click();
    const outline = page.locator('.outline > ol');
    await outline.getByText('Outdated · by Anna').first().waitFor();
    await outline.getByText(/^Corrects the entry of /).waitFor();
    await outline.getByRole('button', { name: 'Corrected by a later entry' }).click();
    await page.getByRole('link', { name: 'Correct an entry' }).last().waitFor();
    await outline.locator('[aria-current=true]', { hasText: 'by Ben' }).first().waitFor();
    expect(await findBarriers(page)).toEqual([]);

    await page.getByRole('button', { name: 'Publish …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Publish this history' });
    const warning = dialog.getByText('with the names that they had: Anna.');
    await warning.waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'correction-publish');
    await dialog.getByLabel('People', { exact: true }).selectOption('none');
    await warning.waitFor({ state: 'detached' });

    // An old link to the corrected step opens the last correction.
    await page.goto(`${service.base}/app/record?cid=${cid}&step=${actionId}#key=${KEY}`);
    const person = page.getByLabel('Person, organisation or AI system');
    await expect.poll(() => person.inputValue().catch(() => '')).toBe('studio:ben');

    await page.goto(`${service.base}/app/#key=${KEY}`);
    await page
      .locator('.content-card', { hasText: 'harbour.jpg' })
      .getByText(/, by Ben \(corrected\)$/)
      .waitFor();
    const hint = page.getByText('finds a file by its first maker only');
    await hint.waitFor();
    await page.getByLabel('First maker').selectOption({ label: 'Anna' });
    await page.getByText('1 file shown').waitFor();
    await page.getByLabel('First maker').selectOption({ label: 'Ben' });
    await page.getByText('No file matches.').waitFor();
    await hint.waitFor();

    await page.goto(`${service.base}/app/shares/${cid}#key=${KEY}`);
    await page.getByRole('img', { name: 'Bar of the credit split: Ben 100.00 %' }).waitFor();
    expect(await page.getByRole('row', { name: /^Ben/ }).textContent()).toContain('Ben made this file');

    await page.goto(`${service.base}/app/check#key=${KEY}`);
    await page.getByLabel('Drop a file').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer });
    await page.locator('.verdict').getByText('Ben made this file, and it is unchanged since.').waitFor();
    expect(await page.locator('.verdict').textContent()).not.toContain('Anna');
    await page.getByRole('listitem').getByText('Corrected by a later entry').waitFor();

    const html = await (await fetch(`${service.base}/app/p/${id}`)).text();
    expect(html).toContain('<li>Ben (Person)</li>');
    expect(html).not.toContain('<li>Anna');
    await page.goto(`${service.base}/app/p/${id}`);
    await page.locator('.public-lead').getByText('Made by Ben.').waitFor();
    await page.getByText(/Verified in your browser: \d+ records/).waitFor();
    await page.getByText('The records are statements of Ben. Nobody checked').waitFor();
    const [first, second] = [page.locator('#step-1'), page.locator('#step-2')];
    expect(await first.textContent()).toContain('Anna made this content');
    expect(await second.textContent()).toContain('Ben made this content');
    const link = (text: string) => page.getByRole('link', { name: text }).getAttribute('href');
    expect(await link('Corrected by a later entry')).toMatch(/#step-2$/);
    expect(await link('Corrects an earlier entry')).toMatch(/#step-1$/);
    for (const part of ['.public-credits', '.public-people', '.lineage'])
      expect(await page.locator(part).textContent()).not.toContain('Anna');
    await page.locator('.public-head').getByText('1 step.').waitFor();
    await page.getByText('stays in this list, but no number of steps counts it').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'correction-public');
    await page.getByRole('button', { name: 'Certificate to print …' }).click();
    await page.locator('.certificate').getByText('Made by Ben.').waitFor();
    expect(await page.locator('.certificate').textContent()).not.toContain('Anna');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('keeps the other makers of a file, whom the verdict and the public page name too', async () => {
    const buffer = await makePhoto({ hue: 240 });
    const [ann, ...others] = ['Ann Quill', 'Bob Reed', 'Cy Stone', 'Dee Todd', 'Eli Underwood'].map(
      (name) => ({
        id: `makers:${name.split(' ')[0]}`,
        role: 'human',
        name,
      }),
    );
    const { cid, actionId } = await (await service.upload(buffer, { entity: ann })).json();
    const make = async ({ id }: { id: string }, extensions = {}) => {
      const action = { performedBy: id, type: 'create', outputCids: [cid], extensions };
      expect((await service.send('/v1/action', jsonPost(action))).status).toBe(201);
    };
    const addMaker = async (entity: (typeof others)[0] | undefined) => {
      if (entity === undefined) return;
      await service.send('/v1/entity', jsonPost(entity));
      await make(entity);
    };
    await addMaker(others[0]);
    // The service caches a public history, so each state needs its own publication.
    const says = async (who: string) => {
      const { page, faults } = await openPage(browser, `${service.base}/app/check#key=${KEY}`);
      await page.getByLabel('Drop a file').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer });
      const verdict = page.locator('.verdict');
      await verdict.getByText(`Made by ${who}, and it is unchanged since.`).waitFor();
      await verdict.getByText(who, { exact: true }).waitFor();
      const { id } = await (await service.send('/v1/publications', jsonPost({ cid }))).json();
      await page.goto(`${service.base}/app/p/${id}`);
      await page.locator('.public-lead').getByText(`Made by ${who}.`).waitFor();
      await page.getByRole('heading', { level: 1, name: `Origin of a picture (${who})` }).waitFor();
      const html = await (await fetch(`${service.base}/app/p/${id}`)).text();
      expect(html).toContain(`Made by ${who}.`);
      expect(faults).toEqual([]);
      await page.context().close();
    };
    await says('Ann Quill and Bob Reed');
    for (const other of others.slice(1)) await addMaker(other);
    await says('Ann Quill, Bob Reed, Cy Stone and 2 others');
    await make(others[0] ?? { id: '' }, { 'ext:correction@1.0.0': { actionId } });
    await says('Bob Reed, Cy Stone, Dee Todd and 1 other');
  });

  it('begins with a recorded statement of no AI, and corrects nothing if the user chooses another file', async () => {
    const { cid, actionId } = await record(290, 'own.jpg', {
      entity: { id: 'studio:cy', role: 'human', name: 'Cy' },
      action: { extensions: { 'ext:mark@1.0.0': { aiDisclosure: null, generator: { name: 'unknown' } } } },
    });
    const address = `${service.base}/app/record?cid=${cid}&step=${actionId}#key=${KEY}`;
    const { page, faults } = await openPage(browser, address);
    await page.getByRole('heading', { name: 'Correct an entry: own.jpg' }).waitFor();
    expect(await page.getByLabel('No AI was used').isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Choose another file' }).click();
    await page.getByRole('heading', { name: 'Record a file' }).waitFor();
    const buffer = await makePhoto({ hue: 310 });
    await page
      .getByLabel('Drop the file to record')
      .setInputFiles({ name: 'other.jpg', mimeType: 'image/jpeg', buffer });
    await page.getByRole('button', { name: 'Record it' }).click();
    await page.getByRole('heading', { name: 'It is recorded.' }).waitFor();
    const [other] = (await (await service.send('/v1/actions?limit=1')).json()).actions;
    expect(Object.keys(other.extensions)).toEqual(['ext:mark@1.0.0']);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('says in each language how many files the correction of one or several files concerns', async () => {
    const entity = { id: 'studio:fay', role: 'human', name: 'Fay' };
    const [one, other] = [await record(70, 'one.jpg', { entity }), await record(80, 'other.jpg', { entity })];
    const both = { performedBy: entity.id, type: 'create', outputCids: [one.cid, other.cid] };
    const { actionId: id } = await (await service.send('/v1/action', jsonPost(both))).json();
    for (const [cid, step, sayings] of [
      [one.cid, id, SAYINGS.several],
      [other.cid, other.actionId, SAYINGS.single],
    ] as const) {
      const address = `${service.base}/app/record?cid=${cid}&step=${step}#key=${KEY}`;
      const { page, faults } = await openPage(browser, address, { locale: 'en' });
      await page.getByRole('button', { name: 'Add the correction' }).click();
      for (const [language, heading] of Object.entries(sayings)) {
        if (language !== 'English') await page.getByRole('button', { name: language }).click();
        await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
      }
      expect(faults).toEqual([]);
      await page.context().close();
    }
  });

  it('is not saved if somebody has corrected the step meanwhile, and leads to the last correction', async () => {
    const entity = { id: 'studio:eli', role: 'human', name: 'Eli' };
    const { cid, actionId } = await record(200, 'twice.jpg', { entity });
    const address = `${service.base}/app/record?cid=${cid}&step=${actionId}#key=${KEY}`;
    const { page, faults } = await openPage(browser, address);
    const submit = page.getByRole('button', { name: 'Add the correction' });
    await submit.waitFor();
    const extensions = { 'ext:correction@1.0.0': { actionId }, 'ext:license@1.0.0': { type: 'CC0-1.0' } };
    const other = { performedBy: entity.id, type: 'create', outputCids: [cid], extensions };
    expect((await service.send('/v1/action', jsonPost(other))).status).toBe(201);
    const count = async () => (await (await service.send(`/v1/bundle/${cid}`)).json()).actions.length;
    await page.getByLabel('Note', { exact: true }).fill('The second tab');
    await submit.click();
    const refusal = page.getByRole('alert').filter({ hasText: 'Somebody has corrected this entry' });
    await refusal.waitFor();
    expect(await count()).toBe(2);
    expect(await page.getByLabel('Note', { exact: true }).inputValue()).toBe('The second tab');
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'correction-outdated');
    await refusal.getByRole('link').click();
    await expect
      .poll(() =>
        page
          .getByLabel('Licence', { exact: true })
          .inputValue()
          .catch(() => ''),
      )
      .toBe('CC0-1.0');
    await submit.click();
    await page
      .getByRole('heading', { name: 'Your correction is added to the history of this file.' })
      .waitFor();
    expect(await count()).toBe(3);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('shows the error and an empty form if the page cannot read the step', async () => {
    const { cid } = await record(340, 'third.jpg', {
      entity: { id: 'studio:di', role: 'human', name: 'Di' },
    });
    const step = '0198c0de-0000-4000-8000-00000000b001';
    const { page } = await openPage(browser, `${service.base}/app/record?cid=${cid}&step=${step}#key=${KEY}`);
    await page.getByRole('alert').getByText('The page could not read the entry to correct').waitFor();
    await page.getByRole('heading', { name: 'Record a file' }).waitFor();
    expect(await page.getByLabel('Name of the AI model').inputValue()).toBe('');
    await page.getByText('This exact file is already recorded').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.context().close();
  });
});
