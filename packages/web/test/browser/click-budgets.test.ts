import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PageUser, signUpFirst } from '../../../server/test/support/page-user.js';
import { ANY_ENGINE, KEY, type Service, startService } from '../../../server/test/support/service.js';
import { asSignedIn, openBrowser, openPage } from '../support/browser.js';
import { makePhoto } from '../support/photo.js';

function countActions() {
  let count = 0;
  return {
    act: async (action: Promise<unknown>) => {
      await action;
      count++;
    },
    count: () => count,
  };
}

describe('a user needs at most this number of actions', () => {
  let service: Service;
  let browser: Browser;
  let owner: PageUser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(ANY_ENGINE), openBrowser()]);
    owner = await signUpFirst(service, 'owner');
    await owner.ask('/management/orgs', { body: { name: 'Daily Planet', slug: 'planet' } });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const jpeg = async (name: string, hue: number) => ({
    ...{ name, mimeType: 'image/jpeg' },
    buffer: await makePhoto({ hue }),
  });

  it('6 to record an AI edit of another file, for the person of the last recording', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/record#key=${KEY}`);
    await page.getByLabel('Drop the file to record').setInputFiles(await jpeg('photo.jpg', 40));
    await page.getByLabel('Name', { exact: true }).fill('Ann');
    expect(await page.getByText(/^Is this person a member/).count(), 'a key shows no members').toBe(0);
    await page.getByRole('button', { name: 'Record it' }).click();
    await page.getByRole('button', { name: 'Record another file' }).click();
    await page.getByText('Chosen as in your last recording.').waitFor();
    const who = page.getByLabel('Person, organisation or AI system').locator('option');
    expect(await who.allTextContents()).toEqual(['Somebody new', 'Ann']);

    const { act, count } = countActions();
    await act(page.getByLabel('Drop the file to record').setInputFiles(await jpeg('edited.jpg', 140)));
    await act(page.getByLabel('What they did').selectOption({ label: 'They edited another file' }));
    await act(page.getByLabel('Company that offers the AI').fill('Acme'));
    await act(page.getByLabel('Name of the AI model').fill('fill-1'));
    await act(page.getByLabel('Drop the source files here').setInputFiles(await jpeg('photo.jpg', 40)));
    await page.getByText('Ann edited another file into “edited.jpg” with AI (Acme fill-1).').waitFor();
    await act(page.getByRole('button', { name: 'Record it' }).click());
    await page.getByRole('heading', { name: 'It is recorded.' }).waitFor();
    expect(count()).toBeLessThanOrEqual(6);
    const [edit, first] = (await (await service.send('/v1/actions?limit=2')).json()).actions;
    expect(edit).toMatchObject({ type: 'transform', inputCids: first.outputCids });
    expect(edit.performedBy).toBe(first.performedBy);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('2 to publish a history', async () => {
    const { cid } = await (await service.upload('a text to publish')).json();
    const { page, faults } = await openPage(browser, `${service.base}/app/explore/${cid}#key=${KEY}`);
    const { act, count } = countActions();
    await act(page.getByRole('button', { name: 'Publish …' }).click());
    await act(page.getByRole('button', { name: 'Publish', exact: true }).click());
    const link = await page.getByRole('link', { name: 'View', exact: true }).getAttribute('href');
    expect((await fetch(new URL(link ?? '', service.base))).status).toBe(200);
    expect(count()).toBeLessThanOrEqual(2);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('8 to create a project and a key, and to send the first request', async () => {
    const session = asSignedIn(service.base, owner);
    const { page, faults } = await openPage(browser, `${service.base}/app/manage/orgs/planet`, session);
    const { act, count } = countActions();
    await act(page.getByLabel('Name', { exact: true }).fill('Front page'));
    await act(page.getByRole('button', { name: 'Create the project' }).click());
    await page.getByText('You work in this project now').waitFor();
    await act(page.getByRole('button', { name: 'Create the key' }).click());
    // The user copies the command of the dialog, and pastes it into a terminal.
    const command = (await page.getByRole('dialog').locator('code').nth(1).textContent()) ?? '';
    const actions = count() + 2;
    const cwd = mkdtempSync(path.join(tmpdir(), 'colophon-curl-'));
    writeFileSync(path.join(cwd, 'photo.jpg'), await makePhoto({ hue: 90 }));
    const { stdout } = await promisify(execFile)('sh', ['-c', `${command} -sS`], { cwd });
    rmSync(cwd, { recursive: true });
    expect(JSON.parse(stdout)).toMatchObject({ cid: expect.any(String) });
    expect(actions).toBeLessThanOrEqual(8);
    // 2 actions: the file, and the button.
    await page.goto(`${service.base}/app/record`);
    await page.getByLabel('Drop the file to record').setInputFiles(await jpeg('own.jpg', 270));
    await page.getByText('owner made “own.jpg”.').waitFor();
    await page.getByRole('button', { name: 'Record it' }).click();
    await page.getByRole('button', { name: 'Record another file' }).click();
    const who = page.getByLabel('Person, organisation or AI system');
    expect(await who.locator('option').allTextContents()).toContain('Me (owner)');
    expect(await who.locator('option:checked').textContent()).toBe('Me (owner)');
    expect(await who.inputValue()).toMatch(/^human:/);
    const id = await who.inputValue();
    await page.reload();
    await expect.poll(() => who.inputValue()).toBe(id);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
