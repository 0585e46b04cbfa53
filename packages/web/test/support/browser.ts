import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { PageUser } from '../../../server/test/support/page-user.js';
import { BROWSER_PACKAGE, describeMissing, findBrowser } from '../../../server/test/support/programs.js';

const SCREENSHOTS = fileURLToPath(new URL('../../../../.artifacts/screenshots/', import.meta.url));
/** A test has a longer timeout, so it fails with an error that names the element. */
const WAIT_MS = 25_000;

/**
 * The problems are script errors, errors in the console, requests to other origins, responses with a status of at least
 * 500, and responses with 404 for a history or thumbnail.
 */
export interface OpenPage {
  page: Page;
  faults: string[];
}

/** The caller closes the browser. The variable CHROMIUM can name another one. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === undefined)
    throw new Error(`There is no browser: ${describeMissing([BROWSER_PACKAGE])}, or set CHROMIUM.`);
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

/** Opens a new session, as a first-time visitor. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => void faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text());
  });
  page.on('request', (request) => {
    if (!/^(blob|data):/.test(request.url()) && new URL(request.url()).origin !== new URL(url).origin)
      faults.push(`a request to ${request.url()}`);
  });
  page.on('response', (answer) => {
    const isAbsent = answer.status() === 404 && /\/bundle\/|\/thumbnail$/.test(answer.url());
    if (answer.status() >= 500 || isAbsent) faults.push(`${answer.status()} ${answer.url()}`);
  });
  await page.goto(url);
  return { page, faults };
}

/** Returns the options for `openPage` as a signed-in user. */
export function asSignedIn(base: string, { headers }: Pick<PageUser, 'headers'>): BrowserContextOptions {
  const [name = '', value = ''] = (headers.cookie ?? '').split('=');
  const cookie = { name, value, domain: new URL(base).hostname, path: '/', expires: -1 };
  const rest = { httpOnly: true, secure: false, sameSite: 'Lax' } as const;
  return { storageState: { cookies: [{ ...cookie, ...rest }], origins: [] } };
}

/** Uses axe-core. Each problem has its first location. */
export async function findBarriers(page: Page): Promise<string[]> {
  const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(source);
  return page.evaluate(async () => {
    type Found = { violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] };
    const { axe } = globalThis as typeof globalThis & { axe: { run(): Promise<Found> } };
    const { violations } = await axe.run();
    return violations.map(({ id, nodes: [first] }) => `${id}: ${first?.html} ${first?.failureSummary ?? ''}`);
  });
}

/** Returns a function that sends the requests. */
export async function holdRequests(page: Page, pattern: string): Promise<() => void> {
  let send = () => {};
  const isHeld = new Promise<void>((resolve) => {
    send = resolve;
  });
  await page.route(pattern, async (route) => {
    await isHeld;
    await route.continue();
  });
  return send;
}

/** Writes `.artifacts/screenshots/<name>.png`. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`), fullPage: true });
}

export const LOOKS: readonly (BrowserContextOptions & { name: string })[] = [
  { name: 'light', colorScheme: 'light' },
  { name: 'dark', colorScheme: 'dark' },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
];
