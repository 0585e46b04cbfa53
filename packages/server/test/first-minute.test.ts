import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { NODE_FLAGS } from './support/process.js';
import { jsonPost } from './support/service.js';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

async function start(environment: Record<string, string>, cwd = path.dirname(MAIN)) {
  const child = spawn(process.execPath, [...NODE_FLAGS, MAIN], {
    env: { PATH: process.env.PATH, PORT: '0', ...environment },
    // The default directory has no .env file.
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += chunk;
    if (printed.includes('Server listening') && (environment.NODE_ENV || printed.includes('<cid>'))) break;
  }
  const stop = async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return { printed, stop };
}

it('without any setting, the start warns that data is lost, and prints a key that records and reads', async () => {
  const { printed, stop } = await start({});
  expect(printed).toContain('LOST ON RESTART');
  const key = /pk_live_\w+/.exec(printed)?.[0] ?? '';
  const base = /http:\/\/localhost:\d+/.exec(printed)?.[0] ?? '';
  const curl = /-F 'file=@photo.jpg' -F 'json=(.*?)' (\S+)/.exec(printed);
  expect(curl?.[2]).toBe(`${base}/v1/activity`);
  const { entity } = JSON.parse(curl?.[1] ?? '{}');
  const answer = await fetch(`${base}/v1/entity`, jsonPost(entity, { authorization: `Bearer ${key}` }));
  expect(answer.status).toBe(201);
  const made = { performedBy: (await answer.json()).id, outputCids: [`sha256:${'ab'.repeat(32)}`] };
  await fetch(`${base}/v1/action`, jsonPost(made, { authorization: `Bearer ${key}` }));
  const checked = await fetch(`${base}/app/api/public/check?cid=${made.outputCids[0]}`);
  expect(await checked.json()).toMatchObject({ known: true });
  const link = printed.match(/http:\S+\/app\/first\/\S+/)?.[0] ?? '';
  const led = await Promise.all([0, 1].map(() => fetch(link, { redirect: 'manual' })));
  expect(led.map(({ headers }) => headers.get('location')).sort()).toEqual(['/app/', `/app/#key=${key}`]);
  const order = [
    'create your account with this link. It works once, within 24 hours:',
    '/app/manage/join?first#',
  ];
  order.push('Or try the page without an account', link, 'COLOPHON_API_KEY');
  const places = order.map((part) => printed.indexOf(part));
  expect(places).toEqual(places.filter((place) => place >= 0).toSorted((a, b) => a - b));
  const invitation = /\/app\/manage\/join\?first#([\w-]{43})$/m.exec(printed)?.[1];
  const account = { invitation, name: 'ann', password: 'a password of my own' };
  const signedUp = await fetch(`${base}/app/api/accounts`, jsonPost(account, { origin: base }));
  expect(signedUp.status).toBe(201);
  await stop();
});

it('the start prints no key if API_KEYS is set, nor in production', async () => {
  const given = await start({ API_KEYS: 'my-development-key' });
  expect(given.printed).not.toMatch(/pk_live_|my-development-key|app\/first/);
  expect(given.printed).toMatch(/enter a project key there:\n\n {2}http:\/\/localhost:\d+\/app\/\n/);
  await given.stop();
  const directory = mkdtempSync(path.join(tmpdir(), 'colophon-production-'));
  const production = await start({
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    DATA_DIR: directory,
    ALLOW_EMBEDDED_IN_PRODUCTION: 'true',
  });
  expect(production.printed).not.toMatch(/pk_live_|curl|manage\/join/);
  await production.stop();
  rmSync(directory, { recursive: true });
});

it('a second start prints a new link to the first account, and invalidates the earlier link', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'colophon-two-starts-'));
  const startOn = async () => {
    const started = await start({ DATA_DIR: directory, API_KEYS: 'my-development-key' });
    const token = /\/app\/manage\/join\?first#([\w-]{43})$/m.exec(started.printed)?.[1] ?? '';
    return { ...started, token, base: /http:\/\/localhost:\d+/.exec(started.printed)?.[0] ?? '' };
  };
  const first = await startOn();
  await first.stop();
  const second = await startOn();
  const signUp = async (name: string, invitation: string) => {
    const body = { invitation, name, password: 'a password of my own' };
    return (await fetch(`${second.base}/app/api/accounts`, jsonPost(body, { origin: second.base }))).status;
  };
  expect(second.printed).toContain('Links of earlier starts no longer work');
  expect(second.printed.split(second.token)).toHaveLength(2);
  expect(await signUp('mallory', first.token)).toBe(404);
  expect(await signUp('ann', second.token)).toBe(201);
  await second.stop();
  rmSync(directory, { recursive: true });
});

it('the start names the .env file that supplies missing variables', async () => {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'colophon-env-')));
  writeFileSync(path.join(directory, '.env'), 'API_KEYS=a-key-of-the-file\n');
  const { printed, stop } = await start({}, directory);
  await stop();
  expect(printed).toContain(JSON.stringify(path.join(directory, '.env')));
  expect(printed).toContain('<a key of API_KEYS>');
  expect(printed).not.toContain('a-key-of-the-file');
  rmSync(directory, { recursive: true });
});
