// Writes a picture of each screen of the page into docs/images: `npm run screenshots`. Needs Chromium (CHROMIUM, or
// /usr/bin/chromium).
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@colophon/sdk';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { drawLandscape } from './draw-landscape.mjs';
import { ROOT } from './processes.mjs';

const IMAGES = join(ROOT, 'docs/images');
const SERVER = join(ROOT, 'packages/server/dist');
const SAMPLES = join(ROOT, 'packages/web/src/check/samples');
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const MAX_BYTES = 3_000_000;
const KEY = 'my-development-key';
const DAY = { sky: '#bcd9ea', hills: '#4f7f5a' };
const NIGHT = { sky: '#2a1c4d', hills: '#8a3f8f', hasMoons: true };
const DESKTOP = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 };
const DARK = { ...DESKTOP, colorScheme: 'dark' };

const service = await startService();
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
try {
  const cover = await recordCover();
  const { publicPath } = await publish(cover);
  const cookie = await signUp();
  for (const screen of listScreens({ ...cover, publicPath })) await take(screen, cookie);
  assertSize();
} finally {
  await browser.close();
  await service.stop();
}

async function startService() {
  if (!existsSync(CHROMIUM))
    throw new Error(`There is no browser at ${CHROMIUM}: install one, or set CHROMIUM.`);
  const { createContext } = await import(join(SERVER, 'compose.js'));
  const { readConfig } = await import(join(SERVER, 'config.js'));
  const { inviteFirstAccount } = await import(join(SERVER, 'management/sessions/invite-member.js'));
  const config = readConfig({
    ...{ PORT: '0', LOG_LEVEL: 'silent', API_KEYS: `${KEY}:Magazine`, PATH: process.env.PATH },
    ...{ RATE_LIMIT_RPM: '100000', PUBLIC_DETECTOR: 'true' },
  });
  const context = await createContext(config);
  await context.app.listen({ host: '127.0.0.1', port: 0 });
  return {
    base: `http://localhost:${context.app.server.address().port}`,
    invite: () => inviteFirstAccount(context.databases.control),
    async stop() {
      const closed = context.close();
      context.app.server.closeAllConnections();
      await closed;
    },
  };
}

async function recordCover() {
  const client = createClient({ url: service.base, apiKey: KEY });
  const record = async (file, { entity, ...action }) =>
    (await client.file(file, { entity: { role: 'human', ...entity }, action })).cid;
  const ann = { id: 'studio:ann', name: 'Ann Lee' };
  const bo = { id: 'studio:bo', name: 'Bo Diaz' };
  const aiTool = { provider: 'Acme', model: 'painter-7' };
  const toFile = (bytes, name, type) => new File([bytes], name, { type });
  const photo = await record(toFile(await drawLandscape(DAY), 'hills.jpg', 'image/jpeg'), {
    entity: ann,
    type: 'create',
  });
  const words = 'A night sky over hills, with two moons';
  const prompt = await record(toFile(words, 'prompt.txt', 'text/plain'), { entity: bo, type: 'create' });
  const sky = await record(toFile(await drawLandscape(NIGHT), 'night-sky.jpg', 'image/jpeg'), {
    ...{ entity: bo, type: 'generate', inputCids: [prompt], aiTool },
  });
  const bytes = await drawLandscape({ ...NIGHT, title: 'HILLS' });
  const cover = await record(toFile(bytes, 'cover.jpg', 'image/jpeg'), {
    ...{ entity: ann, type: 'transform', inputCids: [photo, sky] },
  });
  return { cover, client };
}

async function publish({ cover, client }) {
  const { id } = await client.publications.create({
    cid: cover,
    title: 'Cover of the festival issue',
    picture: true,
    titles: true,
  });
  return { publicPath: `/app/p/${id}` };
}

async function signUp() {
  const invitation = (await service.invite()).split('#')[1];
  const answer = await fetch(`${service.base}/app/api/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.base, 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ invitation, name: 'Ann', password: 'correct horse battery staple' }),
  });
  if (!answer.ok) throw new Error(`POST /app/api/accounts: ${answer.status} ${await answer.text()}`);
  const [name, value] = answer.headers.getSetCookie()[0].split(';')[0].split('=');
  return { name, value, url: service.base };
}

function listScreens({ cover, publicPath }) {
  const choose = (name) => (page) =>
    page.locator('input[type=file]').first().setInputFiles(join(SAMPLES, name));
  const openProject = async (page) => {
    await page
      .getByRole('link', { name: /Local|local/ })
      .first()
      .click();
    await page.getByRole('link', { name: /Magazine/ }).click();
    await page.getByRole('heading', { name: 'New key' }).waitFor();
  };
  const showAll = (page) => page.getByRole('button', { name: 'Show all' }).click();
  return [
    { name: 'check', path: '/app/check', isPublic: true },
    {
      name: 'check-ai',
      path: '/app/check',
      isPublic: true,
      act: choose('generated.jpg'),
      until: /AI-generated/,
    },
    { name: 'library', path: '/app/', until: 'hills.jpg' },
    { name: 'record', path: '/app/record' },
    { name: 'history', path: `/app/explore/${cover}`, act: showAll, until: 'hills.jpg' },
    { name: 'history-dark', path: `/app/explore/${cover}`, look: DARK, act: showAll, until: 'hills.jpg' },
    { name: 'history-phone', path: `/app/explore/${cover}`, look: PHONE, until: 'hills.jpg' },
    { name: 'shares', path: `/app/shares/${cover}`, act: (page) => page.locator('.share-table').waitFor() },
    { name: 'published', path: publicPath, isPublic: true, until: 'Cover of the festival issue' },
    {
      name: 'published-phone',
      path: publicPath,
      isPublic: true,
      look: PHONE,
      until: 'Cover of the festival issue',
    },
    { name: 'manage', path: '/app/manage', act: openProject },
    { name: 'reference', path: '/docs/records', isPublic: true, until: '/v1/entity' },
  ];
}

async function take({ name, path, look = DESKTOP, isPublic = false, act = async () => {}, until }, cookie) {
  const context = await browser.newContext({ ...look, locale: 'en-GB', reducedMotion: 'reduce' });
  if (!isPublic) await context.addCookies([cookie]);
  const page = await context.newPage();
  await page.goto(service.base + path, { waitUntil: 'networkidle' });
  await act(page);
  if (until !== undefined) await page.getByText(until).filter({ visible: true }).first().waitFor();
  await page.waitForLoadState('networkidle');
  const bytes = await page.screenshot();
  mkdirSync(IMAGES, { recursive: true });
  await writeFile(
    join(IMAGES, `${name}.png`),
    await sharp(bytes).png({ palette: true, effort: 10 }).toBuffer(),
  );
  await context.close();
  console.log(`docs/images/${name}.png`);
}

function assertSize() {
  const bytes = readdirSync(IMAGES).reduce((sum, name) => sum + statSync(join(IMAGES, name)).size, 0);
  console.log(`${bytes} bytes in all`);
  if (bytes > MAX_BYTES) throw new Error(`docs/images has ${bytes} bytes, more than ${MAX_BYTES}.`);
}
