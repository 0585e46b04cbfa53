import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, inject, it } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { readUsage } from '../../src/management/read-usage.js';
import { openDatabases, type StoreLocation } from '../../src/platform/db/open-databases.js';
import { createDatabase, startPostgres } from '../support/postgres.js';
import { startProcess } from '../support/process.js';
import { ANY_ENGINE, KEY, startService } from '../support/service.js';

const PROJECT = namedProjectId('one');
const directory = mkdtempSync(path.join(tmpdir(), 'colophon-usage-'));
afterAll(() => rmSync(directory, { recursive: true }));

async function readTotals(place: StoreLocation) {
  const databases = await openDatabases(place);
  try {
    const { summary, actionsRecorded, bytesStored } = await readUsage(databases.control, PROJECT, new Date());
    return { calls: summary.totalCalls, actionsRecorded, bytesStored };
  } finally {
    await databases.close();
  }
}

function getStatus(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${KEY}` };
    get(url, { agent: false, headers }, (answer) => resolve(answer.resume().statusCode)).on('error', reject);
  });
}

it.each(['PGlite in a directory', 'PostgreSQL'])('shutdown loses no counted call, on %s', async (engine) => {
  const url = engine === 'PostgreSQL' ? await createDatabase(inject('postgresUrl')) : undefined;
  const data = path.join(directory, url === undefined ? 'a' : 'b');
  const service = await startProcess({
    DATA_DIR: data,
    ...(url === undefined ? {} : { DATABASE_URL: url }),
  });
  for (let n = 0; n < 10; n++) expect((await service.upload(`content ${n}`)).status).toBe(201);
  // Some of these requests still wait for their answer when the service begins to close.
  const underWay = Array.from({ length: 20 }, () => getStatus(`${service.base}/v1/actions`));
  await Promise.race(underWay);
  expect(await service.stop()).toBe(0);
  const answered = (await Promise.allSettled(underWay)).filter((one) => one.status === 'fulfilled');
  const place: StoreLocation =
    url === undefined
      ? { kind: 'directory', directory: data }
      : { kind: 'postgresql', url, directUrl: undefined };
  const { calls, ...work } = await readTotals(place);
  expect(work).toEqual({ actionsRecorded: 10, bytesStored: 90 });
  expect(calls).toBeGreaterThanOrEqual(10 + answered.length);
  expect(calls).toBeLessThanOrEqual(30);
});

it('the service counts the calls of an outage when PostgreSQL is back, including the failed calls', async () => {
  const postgres = await startPostgres({ fsync: true });
  const url = await createDatabase(postgres);
  const service = await startService(ANY_ENGINE, {
    environment: { DATABASE_URL: url, DATA_DIR: '' },
  });
  try {
    const read = async () => (await service.send('/v1/actions')).status;
    expect(await read()).toBe(200);
    await postgres.kill9();
    const away = [await read(), await read(), await read()];
    expect(away).toEqual([503, 503, 503]);
    await service.context.meter.flush();
    await postgres.restart();
    expect(await read()).toBe(200);
    await service.context.meter.flush();
    const usage = await readUsage(service.context.databases.control, PROJECT, new Date());
    expect(usage.byStatus).toEqual([
      { status: 200, calls: 2 },
      { status: 503, calls: 3 },
    ]);
  } finally {
    await service.stop();
    await postgres.stop();
  }
});
