import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Database } from '../../src/platform/db/database.js';
import { openDirectory } from '../../src/platform/db/pglite/open-directory.js';
import { openPglite } from '../../src/platform/db/pglite/open-pglite.js';
import { readStartTemplate } from '../../src/platform/db/pglite/start-template.js';

const FOR_EVER = 'do $$ begin loop end loop; end $$';
const SOON = { timeout: 30_000, interval: 50 };
const UNAVAILABLE = { code: 'Unavailable', headers: { 'retry-after': '2' } };

let directory: string;
const reports: string[] = [];
const options = { silentMs: 2_000, report: ({ message }: Error) => void reports.push(message) };
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'colophon-hang-'));
  reports.length = 0;
});
afterEach(() => rmSync(directory, { recursive: true }));

async function untilAnswers(db: Database): Promise<void> {
  const fails = () =>
    db.query('select 1').then(
      () => false,
      () => true,
    );
  while (await fails()) await sleep(100);
}

it('the engine rejects an endless statement and the statements behind it, and restarts with all commits', async () => {
  const db = await openDirectory(directory, options);
  await db.transaction((tx) => tx.exec('create table t (n int); insert into t values (1)'));
  const behind = db.transaction(async (tx) => {
    await tx.query('insert into t values (2)');
    await expect(tx.query(FOR_EVER)).rejects.toMatchObject(UNAVAILABLE);
    // The next thread must not run the rest of the transaction.
    await sleep(6_000);
    await tx.query('insert into t values (3)');
  });
  await expect(behind).rejects.toMatchObject(UNAVAILABLE);
  await untilAnswers(db);
  expect(await db.query('select n from t')).toEqual([{ n: 1 }]);
  await db.query('insert into t values (4)');
  const waiting = [db.query(FOR_EVER), db.query('select 1'), db.query('insert into t values (5)')];
  for (const one of await Promise.allSettled(waiting))
    expect(one).toMatchObject({ status: 'rejected', reason: UNAVAILABLE });
  await untilAnswers(db);
  expect(await db.query('select n from t order by n')).toEqual([{ n: 1 }, { n: 4 }]);
  expect(reports).toEqual(Array(2).fill('The embedded database did not answer for 2000 ms.'));
  await db.close();
});

it('a start that takes too long is cancelled, and the next start gets twice the time', async () => {
  const db = await openDirectory(directory, { ...options, firstStartMs: 100 });
  await expect(db.query(FOR_EVER)).rejects.toMatchObject(UNAVAILABLE);
  await untilAnswers(db);
  const opened = 'The embedded database cannot be opened:';
  expect(reports.slice(1, 3)).toEqual([`${opened} not within 100 ms`, `${opened} not within 200 ms`]);
  await db.close();
});

it.each([
  ['gone', 'pg'],
  ['without its PG_VERSION', 'pg/PG_VERSION'],
])(
  'a restart creates nothing in a directory that is %s, and the engine continues when the directory is back',
  async (_what, part) => {
    const db = await openDirectory(directory, options);
    await db.transaction((tx) => tx.exec('create table t (n int); insert into t values (1)'));
    await expect(db.query(FOR_EVER)).rejects.toMatchObject(UNAVAILABLE);
    // The engine starts again half a second later.
    const [here, away] = [path.join(directory, part), path.join(directory, 'away')];
    renameSync(here, away);
    await vi.waitUntil(
      () => reports.some((report) => report.includes('its PG_VERSION cannot be read')),
      SOON,
    );
    await expect(db.query('select 1')).rejects.toMatchObject(UNAVAILABLE);
    expect(existsSync(here)).toBe(false);
    renameSync(away, here);
    await untilAnswers(db);
    expect(await db.query('select n from t')).toEqual([{ n: 1 }]);
    await db.close();
  },
);

it('a migration may take longer than other statements, and is not cancelled', async () => {
  const db = await openDirectory(directory, options);
  const long = `do $$ declare until timestamptz = clock_timestamp() + interval '5 seconds';
    begin while clock_timestamp() < until loop end loop; end $$`;
  await db.transaction((tx) => tx.exec(long));
  expect(reports).toEqual([]);
  await db.close();
});

it('an engine in memory stays unavailable after an endless statement, and can be closed', async () => {
  const db = await openPglite({ directory: undefined, templateFile: readStartTemplate() }, options);
  await expect(db.query(FOR_EVER)).rejects.toMatchObject(UNAVAILABLE);
  await sleep(3_000);
  await expect(db.query('select 1')).rejects.toMatchObject(UNAVAILABLE);
  await db.close();
});
