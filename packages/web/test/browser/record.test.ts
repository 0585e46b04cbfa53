import { readFile } from 'node:fs/promises';
import { parseTrustedLog, type TrustedLog, verifyEd25519, verifyReceipt } from '@colophon/model';
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

describe('the page `Record a file`', () => {
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

  it.each(LOOKS)(
    'records the values of the form, and offers a receipt that verifies: $name',
    async ({ name, ...look }) => {
      const { page, faults } = await openPage(browser, `${service.base}/app/record#key=${KEY}`, look);
      const hue = 100 + LOOKS.findIndex((one) => one.name === name) * 60;
      const [photo, source] = await Promise.all([makePhoto({ hue }), makePhoto({ hue: hue + 20 })]);
      const file = (bytes: Buffer, fileName: string) => ({
        name: fileName,
        mimeType: 'image/jpeg',
        buffer: bytes,
      });
      await page.getByLabel('Drop the file to record').setInputFiles(file(photo, 'poster.jpg'));
      await page.getByLabel('Name', { exact: true }).fill('Ann');
      await page.getByLabel('What they did').selectOption({ label: 'They generated it with AI' });
      await page.getByText('the name of the AI model').waitFor();
      await page.getByLabel('Company that offers the AI').fill('Acme');
      await page.getByLabel('Name of the AI model').fill('painter-2');
      await page.getByLabel('Drop the source files here').setInputFiles(file(source, 'sketch.jpg'));
      await page.getByRole('button', { name: 'Remove sketch.jpg' }).waitFor();
      await page.getByLabel('Or choose a recent record').selectOption({ index: 1 });
      await page.getByLabel('Or search the records').fill('??');
      await page.getByLabel('Or search the records').press('Enter');
      await page.getByText('Nothing is found without a letter or a digit.').waitFor();
      await page.getByLabel('Or search the records').fill('nobody at all');
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByText('No record matches all of these words.').waitFor();
      await page.getByLabel('Or search the records').fill('BO made');
      await page.getByLabel('Or search the records').press('Enter');
      await page
        .getByRole('button', { name: /^Add Bo made/ })
        .last()
        .click();
      await page
        .getByText('Ann generated “poster.jpg” with AI (Acme painter-2) from 3 other files.')
        .waitFor();
      expect(await page.locator('.preview dd').last().textContent()).toMatch(/^sketch\.jpg\n.+\n.+$/);
      expect(await findBarriers(page)).toEqual([]);
      await keepPicture(page, `record-${name}`);
      await page.getByRole('button', { name: 'Record it' }).click();
      await page.getByRole('heading', { name: 'It is recorded.' }).waitFor();
      await page
        .getByText('The record says: Ann generated “poster.jpg” with AI (Acme painter-2) from 3 other files.')
        .waitFor();
      await page.getByText('The name of the source file is stored as its title.').waitFor();
      await page.getByRole('main').getByText('poster.jpg', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Publish …' }).waitFor();
      await page.getByRole('main').getByRole('link', { name: 'See its history' }).waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await keepPicture(page, `record-done-${name}`);
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download the receipt' }).click();
      const receipt = JSON.parse(await readFile((await (await downloading).path()) ?? '', 'utf8'));
      const log = await (await service.send('/v1/log')).json();
      const report = verifyReceipt(receipt, parseTrustedLog(log.verifierKey) as TrustedLog, verifyEd25519);
      expect(report.verified).toBe(true);
      expect(receipt.record.body).toMatchObject({ type: 'generate', aiTool: { provider: 'Acme' } });
      expect(receipt.record.body.inputCids).toHaveLength(3);
      const resource = await service.send(`/v1/resource/${receipt.record.body.outputCids[0]}`);
      expect((await resource.json()).title).toBe('poster.jpg');
      const cids = receipt.record.body.inputCids;
      const { titles } = await (await service.send('/v1/titles', jsonPost({ cids }))).json();
      expect(Object.values(titles)).toContain('sketch.jpg');
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );

  it.each(LOOKS)(
    'has the button of the search beside its field, and the missing values above the last button: $name',
    async ({ name, ...look }) => {
      const { page } = await openPage(browser, `${service.base}/app/record#key=${KEY}`, look);
      const parts = [
        page.getByRole('button', { name: 'Search', exact: true }),
        page.getByLabel('Or search the records'),
        page.getByText('Still needed:'),
        page.getByRole('button', { name: 'Record it' }),
      ];
      const elements = await Promise.all(parts.map((part) => part.elementHandle()));
      // One reading of all boxes, because a part of the page that appears later moves the others.
      const [find, field, needed, submit] = await page.evaluate(
        (all) => all.map((one) => (one as HTMLElement).getBoundingClientRect().toJSON() as DOMRect),
        elements,
      );
      if (!find?.height || !field?.height || !needed?.height || !submit?.height) expect.unreachable();
      expect(Math.abs(find.y + find.height / 2 - field.y - field.height / 2)).toBeLessThan(2);
      expect([name, needed.y < submit.y]).toEqual([name, true]);
      await page.context().close();
    },
  );

  it('records an edit by AI with a prompt, a note, a date and a licence', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/record#key=${KEY}`);
    const buffer = await makePhoto({ hue: 200 });
    await page
      .getByLabel('Drop the file to record')
      .setInputFiles({ name: 'filled.jpg', mimeType: 'image/jpeg', buffer });
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('filled.jpg');
    await page.getByLabel('Title', { exact: true }).fill('');
    await page.getByLabel('Name', { exact: true }).fill('Ann');
    await page.getByLabel('What they did').selectOption({ label: 'They edited another file' });
    await page.getByText('The source is missing: add the file that they edited.').waitFor();
    await page.getByLabel('Prompt').fill('a blue sky');
    await page.getByLabel('Name of the AI model').fill('fill-1');
    await page.getByText('the company that offers the AI').waitFor();
    await page.getByLabel('Company that offers the AI').fill('Acme');
    await page.getByText('Add a note, a date or a licence').click();
    await page.getByLabel('Note').fill('Only the sky');
    await page.getByLabel('Date and time when it was made').fill('2026-11-21T09:30');
    await page.getByLabel('Licence').fill('CC-BY-4.0');
    await page.getByText('Ann edited this file with AI (Acme fill-1).').waitFor();
    expect(await page.locator('.preview dd').allTextContents()).toEqual([
      'a blue sky',
      'Only the sky',
      '2026-11-21T09:30',
      'CC-BY-4.0',
    ]);
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'record-edit');
    await page.getByRole('button', { name: 'Record it' }).click();
    await page.getByText('The file and its description are stored, without a title.').waitFor();
    const [action] = (await (await service.send('/v1/actions?limit=1')).json()).actions;
    const tool = { provider: 'Acme', model: 'fill-1' };
    expect(action).toMatchObject({
      type: 'transform',
      aiTool: tool,
      extensions: {
        'ext:ai@1.0.0': { ...tool, prompt: 'a blue sky' },
        'ext:license@1.0.0': { type: 'CC-BY-4.0' },
      },
    });
    expect(new Date(action.timestamp)).toEqual(new Date('2026-11-21T09:30'));
    const { cid } = await (await service.send(`/v1/bundle/${action.outputCids[0]}`)).json();
    expect((await (await service.send(`/v1/resource/${cid}`)).json()).title).toBeUndefined();
    const published = await service.send('/v1/publications', jsonPost({ cid }));
    const { id } = await published.json();
    const summary = await (await fetch(`${service.base}/app/api/public/${id}/summary`)).json();
    expect(summary.facts.ai).toBe('assisted');
    await page.getByRole('main').getByRole('link', { name: 'See its history' }).click();
    await page
      .locator('.outline')
      .getByRole('button', { name: /^Edited/ })
      .click();
    const step = page.getByRole('complementary', { name: 'Record' });
    await step.getByText('Licence', { exact: true }).waitFor();
    await step.getByText('CC-BY-4.0', { exact: true }).waitFor();
    await keepPicture(page, 'explore-licence');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('says that “No AI was used” does not cover a source with AI, and still records the file', async () => {
    const entity = { id: 'studio:eve', role: 'human', name: 'Eve' };
    const action = { type: 'generate', aiTool: { provider: 'Acme', model: 'painter-2' } };
    const drawn = await makePhoto({ hue: 15, width: 300 });
    const { cid } = await (await service.upload(drawn, { entity, action })).json();
    const { page, faults } = await openPage(browser, `${service.base}/app/record#key=${KEY}`);
    const crop = { name: 'crop.jpg', mimeType: 'image/jpeg', buffer: await makePhoto({ hue: 25 }) };
    await page.getByLabel('Drop the file to record').setInputFiles(crop);
    await page.getByLabel('Name', { exact: true }).fill('Frank');
    await page.getByLabel('What they did').selectOption({ label: 'They edited another file' });
    const unread = (await (await service.send('/v1/actions?limit=1&type=create')).json()).actions[0]
      .outputCids[0];
    const refusal = { code: 'Forbidden', message: 'No history for you.', requestId: '1' };
    await page.route(`**/v1/bundle/${unread}*`, (route) =>
      route.fulfill({ status: 403, json: { error: refusal } }),
    );
    for (const source of [unread, cid]) {
      await page.getByLabel('Or paste a content id').fill(source);
      await page.getByRole('button', { name: 'Add', exact: true }).click();
    }
    await page
      .getByRole('button', { name: /^Remove / })
      .nth(1)
      .waitFor();
    const hint = page.getByText('“No AI was used” covers only this step: readers still see “AI in sources”.');
    expect(await hint.count()).toBe(0);
    await page.getByLabel('No AI was used').check();
    await hint.waitFor();
    await page.getByText('The page could not read whether AI was used for').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Record it' }).click();
    await page.getByRole('heading', { name: 'It is recorded.' }).waitFor();
    const advice = page.getByText('its public page and its label say “AI in sources”');
    await advice.waitFor();
    expect(await page.getByRole('button', { name: 'Make a marked copy …' }).count()).toBe(0);
    await page.unroute(`**/v1/bundle/${unread}*`);
    await page.getByRole('main').getByRole('link', { name: 'See its history' }).click();
    await page.getByRole('application').waitFor();
    await page
      .getByText('The page makes no marked copy, because AI was used only for the sources of this file.')
      .waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'explore-ai-in-sources');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('shows the picture of a recorded source, and stores no title of it if the user declines', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/record#key=${KEY}`);
    const jpeg = async (name: string, hue: number) => ({
      ...{ name, mimeType: 'image/jpeg' },
      buffer: await makePhoto({ hue, width: 300 }),
    });
    const source = await jpeg('before.jpg', 330);
    await page.getByLabel('Drop the file to record').setInputFiles(await jpeg('after.jpg', 350));
    await page.getByLabel('Name', { exact: true }).fill('Eve');
    await page.getByText('If you do neither, readers see “No AI recorded”').waitFor();
    await page.getByLabel('No AI was used').check();
    await page.getByText('It covers this file and not its sources.').waitFor();
    const warning = page.getByText('“Midjourney” looks like the name of an AI system');
    await page.getByLabel('Name', { exact: true }).fill('Midjourney');
    await warning.waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'record-contradiction');
    await page.getByLabel('Name', { exact: true }).fill('Eve');
    await warning.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name of the AI model').count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByLabel('Drop the source files here').setInputFiles(source);
    await page.getByLabel('Store their names as titles').uncheck();
    await page.getByRole('button', { name: 'Record it' }).click();
    await page.getByRole('link', { name: 'See its history' }).click();
    const [{ inputCids, outputCids }] = (await (await service.send('/v1/actions?limit=1')).json()).actions;
    const { titles } = await (await service.send('/v1/titles', jsonPost({ cids: inputCids }))).json();
    expect(titles).toEqual({});
    const statement = 'Made without AI by Eve, as its record states';
    await page.locator('.outline').getByText(statement).waitFor();
    await page
      .locator('.outline')
      .getByRole('button', { name: /^Created/ })
      .click();
    const details = page.getByRole('complementary', { name: 'Record' });
    await details.getByText(statement).waitFor();
    const publication = await service.send('/v1/publications', jsonPost({ cid: outputCids[0] }));
    const { id } = await publication.json();
    const summary = await (await fetch(`${service.base}/app/api/public/${id}/summary`)).json();
    expect(summary.facts).toMatchObject({ ai: 'human', makers: [{ name: 'Eve' }] });
    const [listed] = (await (await service.send('/v1/resources?ai=human')).json()).resources;
    expect(listed).toMatchObject({ cid: outputCids[0], ai: 'human', creatorName: 'Eve' });
    const openSource = () =>
      page
        .locator('.outline')
        .getByRole('button', { name: inputCids[0].slice(-8) })
        .click();
    const face = page.getByRole('complementary', { name: 'Record' }).locator('.thumbnail');
    const missing = page.waitForResponse((answer) => answer.status() === 204);
    await openSource();
    await missing;
    await page.getByRole('navigation').getByRole('link', { name: 'Record a file' }).click();
    await page.getByLabel('Drop the file to record').setInputFiles(source);
    await page.getByLabel('Or search the records').fill('after jpg');
    await page.getByLabel('Or search the records').press('Enter');
    await page.getByRole('button', { name: 'Add after.jpg (…' }).waitFor();
    await page.getByRole('button', { name: 'Record it' }).click();
    await page.getByRole('heading', { name: 'It is recorded.' }).waitFor();
    await page.goBack();
    await page.locator('.outline').getByRole('button', { name: 'before.jpg' }).first().click();
    await face.locator('img').waitFor();
    expect(page.url()).toContain(outputCids[0]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('links to similar contents', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/record#key=${KEY}`);
    const [{ outputCids }] = (await (await service.send('/v1/actions?limit=1')).json()).actions;
    // On a busy machine, the search can end after the response.
    await page.route('**/v1/activity', async (route) => {
      const answer = await route.fetch();
      const match = { cid: outputCids[0], score: 0.9, method: 'image-512/1', type: 'image' };
      await route.fulfill({ response: answer, json: { ...(await answer.json()), matches: [match] } });
    });
    const buffer = await makePhoto({ hue: 250, width: 500 });
    await page
      .getByLabel('Drop the file to record')
      .setInputFiles({ name: 'smaller.jpg', mimeType: 'image/jpeg', buffer });
    await page.getByLabel('Name', { exact: true }).fill('Di');
    await page.getByRole('button', { name: 'Record it' }).click();
    const similar = page.getByRole('main').locator('.pictured').getByRole('link');
    await similar.first().waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await similar.first().click();
    await page.getByRole('application').waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('shows the progress of a large upload, and records nothing after a cancel', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/record#key=${KEY}`);
    const line = await page.context().newCDPSession(page);
    await line.send('Network.enable');
    const buffer = Buffer.alloc(6_000_000, 'a long film ');
    await page
      .getByLabel('Drop the file to record')
      .setInputFiles({ name: 'film.bin', mimeType: 'video/mp4', buffer });
    await page.getByLabel('Name', { exact: true }).fill('Cy');
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 500_000 };
    await line.send('Network.emulateNetworkConditions', slow);
    await page.getByRole('button', { name: 'Record it' }).click();
    await page.waitForFunction(() => (document.querySelector('progress')?.value ?? 0) > 5);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Record it' }).waitFor();
    const { entities } = await (await service.send('/v1/entities')).json();
    expect(entities.map(({ name }: { name: string }) => name)).not.toContain('Cy');
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
