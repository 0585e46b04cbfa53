import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeMediaDirectory, sweepMediaDirectories } from '../../src/media/media-directory.js';

const folder = mkdtempSync(path.join(tmpdir(), 'colophon-sweep-'));

afterAll(() => rmSync(folder, { recursive: true }));

it('removes the directories of ended processes, and keeps those of running ones', async () => {
  const ended = spawnSync(process.execPath, ['-e', '']).pid;
  const own = path.basename(await makeMediaDirectory(folder));
  const stay = [own, `colophon-media-${process.ppid}-living`, 'colophon-media-foreign', 'other'];
  const former = `colophon-media-${process.pid}-former`;
  for (const name of [...stay.slice(1), former, `colophon-media-${ended}-killed`]) {
    mkdirSync(path.join(folder, name));
    writeFileSync(path.join(folder, name, 'received'), 'a secret');
  }
  utimesSync(path.join(folder, former), 0, 0);
  await sweepMediaDirectories(folder);
  expect(readdirSync(folder).sort()).toEqual(stay.sort());
});
