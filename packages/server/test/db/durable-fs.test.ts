import fs, { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DURABLE_START_PARAMS, DurableNodeFS } from '../../src/platform/db/pglite/durable-fs.js';

let directory: string;
let db: PGlite;
beforeEach(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'colophon-durable-'));
  db = await PGlite.create({
    fs: new DurableNodeFS(path.join(directory, 'pg'), (reason) => {
      throw new Error(reason);
    }),
    startParams: DURABLE_START_PARAMS,
  });
  await db.exec('create table t (n int)');
});
afterEach(async () => {
  await db.close();
  rmSync(directory, { recursive: true });
});

it('the directory database calls fsync for every commit', async () => {
  const fsync = vi.spyOn(fs, 'fsyncSync');
  for (let n = 0; n < 10; n++) await db.query('insert into t values ($1)', [n]);
  expect(fsync.mock.calls.length).toBeGreaterThanOrEqual(10);
  fsync.mockRestore();
});

it('a file that could not be created on a full disk can be created later', async () => {
  await db.exec('insert into t select generate_series(1, 1000)');
  const create = vi.spyOn(fs, 'writeFileSync').mockImplementation(() => {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  });
  // A vacuum creates the files of the free space map and the visibility map.
  await expect(db.exec('vacuum t')).rejects.toThrow(/could not create file.*No space left on device/);
  create.mockRestore();
  await db.exec('vacuum t');
  expect((await db.query('select count(*)::int as rows from t')).rows).toEqual([{ rows: 1000 }]);
});
