import { X509Certificate } from 'node:crypto';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PageUser, signUp, signUpFirst } from '../../../server/test/support/page-user.js';
import { ANY_ENGINE, type Service, startService } from '../../../server/test/support/service.js';
import { makeSigner, peopleAnchorPem, trustAnchorPem } from '../../../server/test/support/signers.js';
import { asSignedIn, findBarriers, keepPicture, LOOKS, openBrowser, openPage } from '../support/browser.js';

const TOKEN = 'token-of-the-pinning-service';
const PHONE = { viewport: { width: 390, height: 844 } };

describe('the settings of a project under `Manage`', () => {
  let service: Service;
  let browser: Browser;
  let owner: PageUser;
  let viewer: PageUser;
  const makeProject = async (name: string): Promise<string> =>
    (await (await owner.ask('/management/projects', { body: { orgSlug: 'planet', name } })).json()).id;
  const read = async (id: string) => (await owner.ask(`/management/projects/${id}`)).json();
  const change = async (id: string, body: object) => {
    const changed = await service.manage('local:owner', `/projects/${id}`, { method: 'PUT', body });
    expect(changed.status).toBe(200);
  };

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(ANY_ENGINE), openBrowser()]);
    owner = await signUpFirst(service, 'owner');
    await owner.ask('/management/orgs', { body: { name: 'Daily Planet', slug: 'planet' } });
    const invited = await owner.ask('/management/orgs/planet/invitations', { body: { role: 'viewer' } });
    viewer = await signUp(service, { name: 'viewer', invitation: (await invited.json()).invitation });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  function open(
    id: string,
    tab: string,
    { user = owner, ...look }: BrowserContextOptions & { user?: PageUser } = {},
  ) {
    return openPage(browser, `${service.base}/app/manage/projects/${id}?tab=${tab}`, {
      ...look,
      ...asSignedIn(service.base, user),
    });
  }

  const look = async (page: Page, name: string) => {
    expect(await findBarriers(page), name).toEqual([]);
    expect([
      name,
      await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
    ]).toEqual([name, true]);
    await keepPicture(page, `project-${name}`);
  };

  it.each(LOOKS)('have no script errors or accessibility problems: $name', async ({ name, ...options }) => {
    const id = await makeProject(`Look ${name}`);
    const { certificatePem, privateKeyPem } = makeSigner({ subject: 'Daily Planet signer' });
    await change(id, {
      ...{ signingCertificate: `${certificatePem}\n${trustAnchorPem}`, signingKey: privateKeyPem },
      ...{ trustAnchors: peopleAnchorPem, ipfsProvider: 'pinata', ipfsApiKey: TOKEN },
      ...{ ipfsGateway: 'https://planet.mypinata.example', storageType: 'ipfs' },
      limits: { storedBytes: 1_000_000, records: 0, concurrentUploads: 4 },
    });
    const { page, faults } = await open(id, 'limits', options);
    await page.getByRole('cell', { name: 'Total stored' }).waitFor();
    await look(page, `limits-${name}`);
    await page.getByRole('tab', { name: 'Pinning' }).click();
    await page.getByText('Stored; nobody can read it here').waitFor();
    await look(page, `pinning-${name}`);
    await page.getByRole('tab', { name: 'Certificates' }).click();
    await page.getByRole('cell', { name: /^Daily Planet signer/ }).waitFor();
    await page.getByText('Replace the certificate').click();
    await look(page, `certificates-${name}`);
    await page.getByRole('tab', { name: 'Keys' }).click();
    await page.getByLabel('Records for').selectOption('other');
    await look(page, `keys-${name}`);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('let a user set, change and remove a pinning service, never show its token, and name a wrong field', async () => {
    const id = await makeProject('Pinned');
    const { page, faults } = await open(id, 'pinning', PHONE);
    await page.getByLabel('Pinning service').selectOption('kubo');
    await page.getByLabel('Address').fill('https://127.0.0.1:5001');
    await page.getByLabel('Token').fill(TOKEN);
    await page.getByRole('button', { name: 'Save the pinning settings' }).click();
    await page.getByText('Address: is not an address of the public internet').waitFor();
    expect((await read(id)).ipfsProvider).toBeNull();
    await page.getByLabel('Address').fill('https://kubo.example:5001');
    await page.getByRole('button', { name: 'Save the pinning settings' }).click();
    await page.getByText('A token is stored.').waitFor();
    const own = { ipfsProvider: 'kubo', ipfsApiKeySet: true, ipfsGateway: 'https://kubo.example:5001' };
    expect(await read(id)).toMatchObject(own);
    // With `off`, browsers fill in a stored password.
    expect(await page.getByLabel('Token').getAttribute('autocomplete')).toBe('new-password');
    expect([await page.getByLabel('Token').inputValue(), (await page.content()).includes(TOKEN)]).toEqual([
      '',
      false,
    ]);

    await page.getByLabel('New files').selectOption('ipfs');
    await page.getByRole('button', { name: 'Save the pinning settings' }).click();
    await expect.poll(() => read(id)).toMatchObject({ ...own, storageType: 'ipfs' });
    await page.getByText('Saved.').waitFor();
    await page.getByLabel('Address').fill('https://other.example:5001');
    await page.getByText('belongs to another pinning service').waitFor();
    expect(await page.getByText('Saved.').count()).toBe(0);
    await page.getByRole('tab', { name: 'Keys' }).click();
    await page.getByLabel('Address').waitFor({ state: 'hidden' });
    await page.getByRole('tab', { name: 'Pinning' }).click();
    expect(await page.getByLabel('Address').inputValue()).toBe('https://other.example:5001');
    await page.getByRole('button', { name: 'Save the pinning settings' }).click();
    await expect.poll(() => read(id)).toMatchObject({ ipfsApiKeySet: false });

    await page.getByRole('button', { name: 'Remove the pinning service' }).click();
    await page.getByRole('dialog').getByText('The service forgets').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the pinning service' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const none = { ipfsProvider: null, ipfsApiKeySet: false, ipfsGateway: null, storageType: null };
    expect(await read(id)).toMatchObject(none);
    expect(await page.getByLabel('Pinning service', { exact: true }).inputValue()).toBe('none');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('let a user set and remove certificates, show their dates, and never show a key', async () => {
    const id = await makeProject('Signed');
    const { certificatePem, privateKeyPem } = makeSigner({ subject: 'Planet' });
    const { page, faults } = await open(id, 'certificates');
    await page.getByText('This project has no certificate').waitFor();
    await page.getByText('Set the certificate').click();
    const der = new X509Certificate(certificatePem).raw;
    const chainFile = page.getByLabel('Certificates (PEM) from a file');
    await chainFile.setInputFiles({ name: 'signer.cer', mimeType: 'application/pkix-cert', buffer: der });
    await page.getByText('This file is not PEM.').waitFor();
    await page.getByLabel('Certificates (PEM)', { exact: true }).fill(certificatePem);
    expect(await page.getByText('This file is not PEM.').count()).toBe(0);
    await page.getByLabel('Private key (PEM)', { exact: true }).fill(makeSigner().privateKeyPem);
    await page.getByRole('button', { name: 'Save the certificate' }).click();
    await page.getByText('does not belong to the certificate').waitFor();
    await page.getByLabel('Private key (PEM) from a file').setInputFiles({
      name: 'signer.key',
      mimeType: 'application/x-pem-file',
      buffer: Buffer.from(privateKeyPem),
    });
    await page.getByRole('button', { name: 'Save the certificate' }).click();
    await page.getByRole('cell', { name: /^Planet,/ }).waitFor();
    await page.getByRole('cell', { name: 'Authority of the tests' }).waitFor();
    await page.getByRole('cell', { name: 'Expires in 1 day' }).waitFor();
    const { signingCertificate, signingKeySet } = await read(id);
    expect([signingCertificate.trim(), signingKeySet]).toEqual([certificatePem.trim(), true]);
    await page.getByText('Saved.').waitFor();
    const kept = await page.getByLabel('Private key (PEM)', { exact: true }).inputValue();
    expect([kept, (await page.content()).includes(privateKeyPem.split('\n')[1] ?? '')]).toEqual(['', false]);

    await page.getByText('Trust another authority').click();
    // The page has not read this authority.
    await change(id, { trustAnchors: peopleAnchorPem });
    await page.getByLabel('Certificate of the authority (PEM)', { exact: true }).fill(trustAnchorPem);
    expect(await page.getByText('Saved.').count()).toBe(0);
    await page.getByRole('button', { name: 'Add the certificate' }).click();
    await page.getByText('Saved.').waitFor();
    expect((await read(id)).trustAnchors).toBe(`${peopleAnchorPem.trim()}\n${trustAnchorPem.trim()}`);
    await page.getByRole('button', { name: /^Remove Authority of the tests/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Remove Authority of the tests/ }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'Authority for people' }).first().waitFor();
    expect((await read(id)).trustAnchors).toBe(peopleAnchorPem.trim());
    await page.getByRole('button', { name: 'Remove the certificate and its key' }).click();
    await dialog.getByRole('button', { name: 'Remove the certificate and its key' }).click();
    await page.getByText('This project has no certificate').waitFor();
    expect(await read(id)).toMatchObject({ signingCertificate: null, signingKeySet: false });
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('let a user bind a new key to a chosen entity, and show the binding', async () => {
    const id = await makeProject('Bound');
    const entity = { id: 'studio:ann', role: 'human', name: "Ann O'Neil" };
    await owner.ask(`/projects/${id}/v1/entity`, { body: entity });
    const { page, faults } = await open(id, 'keys', PHONE);
    await page.getByLabel('Records for').selectOption({ label: "Ann O'Neil (studio:ann)" });
    await page.getByLabel('Permission').selectOption('admin');
    expect(await page.getByLabel('Records for').count()).toBe(0);
    await page.getByLabel('Permission').selectOption('write');
    await page.getByRole('button', { name: 'Create the key' }).click();
    const shown = page.getByRole('dialog').locator('code');
    const key = (await shown.first().textContent()) ?? '';
    expect(await shown.nth(1).textContent()).toContain('"entity":{"id":"studio:ann"}');
    await look(page, 'bound-key');
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByText("only for Ann O'Neil (studio:ann)").waitFor();
    const record = async (performer: object) => {
      const headers = { authorization: `Bearer ${key}` };
      const more = { entity: performer, action: { type: 'create' } };
      return (await service.upload(`by ${JSON.stringify(performer)}`, more, headers)).status;
    };
    expect([await record({ id: 'studio:ann' }), await record({ role: 'human', name: 'Bo' })]).toEqual([
      201, 403,
    ]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('show a command for an entity that the page has not read', async () => {
    const id = await makeProject('Bound by id');
    const { page, faults } = await open(id, 'keys');
    await page.getByLabel('Records for').selectOption('other');
    await owner.ask(`/projects/${id}/v1/entity`, { body: { id: 'studio:bo', role: 'human', name: 'Bo' } });
    for (const [typed, entity] of [
      [' studio:bo ', '{"id":"studio:bo"}'],
      ['studio:new', '{"id":"studio:new","role":"human","name":"YOUR NAME"}'],
    ] as const) {
      await page.getByLabel('Records for').selectOption('other');
      await page.getByLabel('Id', { exact: true }).fill(typed);
      await page.getByRole('button', { name: 'Create the key' }).click();
      await page
        .getByRole('dialog')
        .locator('code')
        .filter({ hasText: `"entity":${entity}` })
        .waitFor();
      await page.getByRole('button', { name: 'I have copied it' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('show the limits and their usage; nobody can change them, and a viewer can change no setting', async () => {
    const id = await makeProject('Limited');
    await change(id, { limits: { requestsPerMonth: 1000 } });
    for (const user of [owner, viewer]) {
      const { page, faults } = await open(id, 'limits', { user });
      const calls = page.getByRole('row', { name: /^Calls this month/ });
      await calls.getByRole('progressbar').waitFor();
      expect(await calls.getByRole('cell').nth(2).textContent()).toBe('1,000');
      await page.getByText('Only the operator of this service can change the limits').waitFor();
      expect(await page.getByRole('tabpanel').locator('input, select, textarea, button').count()).toBe(0);
      for (const tab of user === viewer ? ['Pinning', 'Certificates'] : []) {
        await page.getByRole('tab', { name: tab }).click();
        await page.getByRole('tab', { name: tab, selected: true }).waitFor();
        expect(await page.getByRole('tabpanel').locator('input, select, textarea, button').count()).toBe(0);
      }
      expect(faults).toEqual([]);
      await page.context().close();
    }
  });

  it('link to the members of the organisation', async () => {
    const { page, faults } = await open(await makeProject('Linked'), 'keys', PHONE);
    await page.getByRole('link', { name: 'Members of Daily Planet' }).click();
    await page.getByRole('tab', { name: 'Members', selected: true }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
