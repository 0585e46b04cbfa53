import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newPublicationId } from '../src/management/publish-content.js';
import { runCli } from './support/run-cli.js';
import { ANY_ENGINE, KEY, type Service, startService } from './support/service.js';

let service: Service;
beforeAll(async () => {
  service = await startService(ANY_ENGINE);
});
afterAll(() => service.stop());

const run = (...argv: string[]) => runCli(argv, { COLOPHON_URL: service.base, COLOPHON_API_KEY: KEY });

it('none of 2,000 ids of publications looks like an option', () => {
  const starts = new Set(Array.from({ length: 2_000 }, () => newPublicationId()[0]));
  expect(starts).not.toContain('-');
  expect(starts.size).toBeGreaterThan(20);
});

it('colophon publish: prints, lists, revokes and restores a public link, whose proof verifies as a file', async () => {
  const { cid } = await (await service.upload('a picture')).json();
  const made = await run('publish', cid, '--title', 'A picture', '--withhold', 'names', '--days', '3');
  expect(made.stderr).toBe('');
  const link = new URL(made.stdout.trim());
  expect(link.href).toMatch(new RegExp(`^${service.base}/app/p/[\\w-]{24}$`));
  const id = link.pathname.slice('/app/p/'.length);
  const history = await (await fetch(`${service.base}/app/api/public/${id}`)).json();
  expect(history).toMatchObject({ title: 'A picture', withheld: ['names', 'details'], provable: true });
  expect(JSON.stringify(history)).not.toContain('Ann');

  const folder = await mkdtemp(path.join(tmpdir(), 'colophon-publish-'));
  const file = path.join(folder, 'proof.json');
  writeFileSync(file, await (await fetch(`${service.base}/app/api/public/${id}/proof`)).text());
  const verified = await run('verify', file, '--key', history.log.verifierKey);
  expect([verified.status, verified.stderr]).toEqual([0, '']);
  await rm(folder, { recursive: true });

  expect((await run('publish', '--list')).stdout).toMatch(
    new RegExp(`${id} +public +\\d{4}-\\S+ +${cid} +A picture`),
  );
  expect((await run('publish', '--revoke', id)).stdout).toContain('publication is revoked');
  expect((await run('publish', '--list')).stdout).toMatch(new RegExp(`${id} +revoked`));
  expect((await fetch(`${service.base}/app/api/public/${id}`)).status).toBe(404);
  expect((await run('publish', '--restore', id)).stdout.trim()).toBe(link.href);
  expect((await fetch(`${service.base}/app/api/public/${id}`)).status).toBe(200);
});

it('colophon publish --license: the only extension that it shows is the licence, and its proof verifies', async () => {
  const terms = { type: 'CC-BY-4.0', aiTraining: 'reserved' };
  const { cid } = await (
    await service.upload('a licensed picture', {
      entity: { role: 'human', name: 'Ann' },
      action: { type: 'create', extensions: { 'ext:license@1.0.0': terms } },
    })
  ).json();
  const readPublic = async (...options: string[]) => {
    const { id } = JSON.parse((await run('publish', cid, '--json', ...options)).stdout);
    const at = `${service.base}/app/api/public/${id}`;
    return { history: await (await fetch(at)).json(), proof: await (await fetch(`${at}/proof`)).text() };
  };
  const { history, proof } = await readPublic('--license');
  expect(history.steps[0].extensions).toEqual({ 'ext:license@1.0.0': terms });
  const folder = await mkdtemp(path.join(tmpdir(), 'colophon-license-'));
  const file = path.join(folder, 'proof.json');
  writeFileSync(file, proof);
  const verified = await run('verify', file, '--key', history.log.verifierKey);
  expect([verified.status, verified.stderr]).toEqual([0, '']);
  writeFileSync(file, proof.replace('CC-BY-4.0', 'CC-BY-9.0'));
  expect((await run('verify', file, '--key', history.log.verifierKey)).status).not.toBe(0);
  await rm(folder, { recursive: true });
  expect(JSON.stringify((await readPublic()).history)).not.toContain('CC-BY-4.0');
});

it('colophon publish --titles: shows the titles, which colophon record --title sets', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'colophon-titles-'));
  const record = async (fileName: string, ...options: string[]) => {
    const file = path.join(folder, fileName);
    writeFileSync(file, `content of ${fileName}`);
    const { stdout } = await run('record', file, '--name', 'Ann', '--json', ...options);
    return JSON.parse(stdout).cid as string;
  };
  const shown = async (cid: string, ...options: string[]) => {
    const { id } = JSON.parse((await run('publish', cid, '--json', ...options)).stdout);
    const { contents } = await (await fetch(`${service.base}/app/api/public/${id}`)).json();
    return contents[0].title;
  };
  const titled = await record('one.txt', '--title', 'Harbour');
  expect(await shown(titled, '--titles')).toBe('Harbour');
  expect(await shown(titled)).toBeUndefined();
  expect(await shown(await record('two.txt'), '--titles')).toBe('two.txt');
  expect(await shown(await record('three.txt', '--no-title'), '--titles')).toBeUndefined();
  await rm(folder, { recursive: true });
});
