import fs, { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { expect, it, vi } from 'vitest';
import { DURABLE_START_PARAMS, DurableNodeFS } from '../../src/platform/db/pglite/durable-fs.js';

it('the directory database calls fsync for every commit', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'colophon-fsync-'));
  const db = await PGlite.create({
    fs: new DurableNodeFS(path.join(directory, 'pg'), (reason) => {
      throw new Error(reason);
    }),
    startParams: DURABLE_START_PARAMS,
  });
  await db.exec('create table t (n int)');
  const fsync = vi.spyOn(fs, 'fsyncSync');
  for (let n = 0; n < 10; n++) await db.query('insert into t values ($1)', [n]);
  expect(fsync.mock.calls.length).toBeGreaterThanOrEqual(10);
  fsync.mockRestore();
  await db.close();
  rmSync(directory, { recursive: true });
});
