import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import {
  makeTemporaryDirectory,
  sweepTemporaryDirectories,
} from '../src/platform/files/temporary-directory.js';

const folder = mkdtempSync(path.join(tmpdir(), 'colophon-sweep-'));

afterAll(() => rmSync(folder, { recursive: true }));

it('removes the temporary directories of ended processes, and keeps those of running processes', async () => {
  const ended = spawnSync(process.execPath, ['-e', '']).pid;
  const own = path.basename(await makeTemporaryDirectory('video', folder));
  const stay = [own, `colophon-media-${process.ppid}-living`, 'colophon-media-foreign', 'other'];
  const uses = ['media', 'page', 'sound', 'video'];
  const former = uses.map((use) => `colophon-${use}-${process.pid}-former`);
  const killed = uses.map((use) => `colophon-${use}-${ended}-killed`);
  for (const name of [...stay.slice(1), ...former, ...killed]) {
    mkdirSync(path.join(folder, name));
    writeFileSync(path.join(folder, name, 'received'), 'a secret');
  }
  for (const name of former) utimesSync(path.join(folder, name), 0, 0);
  await sweepTemporaryDirectories(folder);
  expect(readdirSync(folder).sort()).toEqual(stay.sort());
});
