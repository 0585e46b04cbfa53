import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { closeToOthers } from '../src/platform/files/private-files.js';
import { startProcess } from './support/process.js';

let directory: string;
let umask: number;
beforeEach(() => {
  umask = process.umask(0o022);
  directory = mkdtempSync(path.join(tmpdir(), 'colophon-private-'));
  chmodSync(directory, 0o755);
});
afterEach(() => {
  process.umask(umask);
  rmSync(directory, { recursive: true });
});

const placesIn = (root: string) => [
  root,
  ...readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => path.join(root, name)),
];
const modeOf = (place: string) => lstatSync(place).mode & 0o777;
const openPlaces = (root: string) =>
  placesIn(root)
    .filter((place) => modeOf(place) !== (lstatSync(place).isDirectory() ? 0o700 : 0o600))
    .map((place) => `${modeOf(place).toString(8)} ${path.relative(root, place)}`);

it('in a DATA_DIR with 0755, directories get 0700 and files 0600, also those of an earlier version', async () => {
  const environment = { DATA_DIR: directory, LOG_LEVEL: 'warn' };
  const first = await startProcess(environment);
  expect((await first.upload('some bytes')).status).toBe(201);
  expect(openPlaces(directory)).toEqual([]);
  await first.stop();
  expect(placesIn(directory).length).toBeGreaterThan(1_000);

  for (const place of [...placesIn(path.join(directory, 'pg')), path.join(directory, 'blobs')])
    chmodSync(place, lstatSync(place).isDirectory() ? 0o755 : 0o666);
  chmodSync(directory, 0o755);
  const second = await startProcess(environment);
  expect(openPlaces(directory)).toEqual([]);
  expect(second.output()).toContain('other users of this machine could open these files');
  await second.stop();
});

it('a service does not start in a world-readable directory with other files, and names the chmod', async () => {
  writeFileSync(path.join(directory, 'theirs'), '');
  await expect(startProcess({ DATA_DIR: directory })).rejects.toThrow(`chmod o-rwx '${directory}'`);
  expect(modeOf(directory)).toBe(0o755);
  chmodSync(directory, 0o750);
  expect(await closeToOthers(directory)).toEqual({ closed: [], shared: [directory] });
});

it.skipIf(process.getuid?.() !== 0)(
  'a world-readable directory of another user is rejected, and the error names the chmod',
  async () => {
    const nobody = 65_534;
    process.seteuid?.(nobody);
    try {
      const closed = closeToOthers(directory, nobody);
      await expect(closed).rejects.toThrow(`Have its owner run: chmod -R o-rwx '${directory}'`);
    } finally {
      process.seteuid?.(0);
    }
  },
);

it('a DATA_DIR of another user keeps group access, as with fsGroup, but all other users lose access', async () => {
  const nobodyHere = 4_000_000;
  const place = path.join(directory, 'volume');
  mkdirSync(place);
  chmodSync(place, 0o2770);
  expect(await closeToOthers(place, nobodyHere)).toEqual({ closed: [], shared: [place] });
  chmodSync(place, 0o777);
  expect(await closeToOthers(place, nobodyHere)).toEqual({ closed: [place], shared: [place] });
  expect(modeOf(place)).toBe(0o770);
  expect(await closeToOthers(place)).toEqual({ closed: [place], shared: [] });
  expect(modeOf(place)).toBe(0o700);
});
