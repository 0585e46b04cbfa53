import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { inviteFirstAccount } from '../../../server/src/management/sessions/invite-member.js';
import { PASSWORD, type PageUser, signUp } from '../../../server/test/support/page-user.js';
import { ANY_ENGINE, type Service, startService } from '../../../server/test/support/service.js';
import { findBarriers, keepPicture, type OpenPage, openBrowser, openPage } from './browser.js';

export interface ManagedService {
  service: Service;
  browser: Browser;
  owner: PageUser;
  projectId: string;
  key: string;
}

export async function startManagedService(): Promise<ManagedService> {
  const [service, browser] = await Promise.all([startService(ANY_ENGINE), openBrowser()]);
  const first = await inviteFirstAccount(service.context.databases.control);
  const owner = await signUp(service, { name: 'owner', invitation: first?.split('#')[1] });
  await owner.ask('/management/orgs', { body: { name: 'Daily Planet', slug: 'planet' } });
  const made = await owner.ask('/management/projects', { body: { orgSlug: 'planet', name: 'Front page' } });
  const projectId = (await made.json()).id;
  const body = { projectId, name: 'website', permissions: 'write' };
  const { key } = await (await owner.ask('/management/api-keys', { body })).json();
  const headers = { authorization: `Bearer ${key}` };
  await service.upload('a picture', undefined, headers);
  for (const path of ['/v1/entities', '/v1/actions', '/v1/action/nonsense'])
    await service.send(path, { headers });
  await service.context.meter.flush?.();
  return { service, browser, owner, projectId, key };
}

export async function signInAsOwner(
  { service, browser }: Pick<ManagedService, 'service' | 'browser'>,
  look: BrowserContextOptions = {},
  path = '/app/manage',
): Promise<OpenPage> {
  const opened = await openPage(browser, `${service.base}${path}`, look);
  await opened.page.getByLabel('Name').fill('Owner');
  await opened.page.getByLabel('Password').fill(PASSWORD);
  await opened.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  return opened;
}

/** Checks the accessibility of the view, and stores a picture of it. */
export async function lookAtView(page: Page, name: string): Promise<void> {
  expect(await findBarriers(page), name).toEqual([]);
  await keepPicture(page, `manage-${name}`);
}
