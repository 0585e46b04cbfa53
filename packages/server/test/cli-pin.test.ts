import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, inject, it } from 'vitest';
import { type PinningServer, startKuboServer } from './support/pinning-servers.js';
import { createMigratedDatabase } from './support/postgres.js';
import { runSql } from './support/postgres-databases.js';
import { startProcess } from './support/process.js';
import { runCli } from './support/run-cli.js';

const directory = mkdtempSync(path.join(tmpdir(), 'colophon-pin-'));
let kubo: PinningServer;
afterAll(async () => {
  await kubo.close();
  rmSync(directory, { recursive: true });
});

it('colophon pin queues failed pins and content from before the pinning service was set, each only once', async () => {
  kubo = await startKuboServer();
  const url = await createMigratedDatabase(inject('postgresUrl'));
  const before = { DATABASE_URL: url, DATA_DIR: directory };
  const environment = { ...before, IPFS_API_URL: kubo.url };
  const pin = async () => {
    const { status, stdout, stderr } = await runCli(['pin', '--json'], environment);
    expect([status, stderr]).toEqual([0, '']);
    return JSON.parse(stdout).pins;
  };
  const counts = (contents: number, queued: number) => [
    expect.objectContaining({ provider: 'kubo', contents, queued }),
  ];

  const earlier = await startProcess(before);
  const cids: string[] = [];
  for (const content of ['one content', 'another content'])
    cids.push((await (await earlier.upload(content)).json()).cid);
  await earlier.stop();
  expect(await pin()).toEqual(counts(2, 2));
  expect(await pin()).toEqual(counts(2, 0));

  const service = await startProcess(environment);
  const keptOf = () => cids.map((cid) => kubo.kept.has(cid));
  await expect.poll(keptOf, { timeout: 30_000, interval: 200 }).toEqual([true, true]);
  const pinned = () => runSql(url, 'select 1 from provenance.pin where pinned_at is not null');
  await expect.poll(async () => (await pinned()).length, { timeout: 30_000, interval: 200 }).toBe(2);
  expect(await pin()).toEqual(counts(2, 0));

  kubo.outage = 503;
  const { cid } = await (await service.upload('in an outage')).json();
  expect(await pin()).toEqual(counts(3, 0));
  // Waits until no attempt runs (`claim is null`), because a running attempt would store its result later.
  const fail = () =>
    runSql(
      url,
      "update provenance.outbox set state = 'failed' where kind = 'pin' and attempts > 0 and claim is null returning id",
    );
  await expect.poll(async () => (await fail()).length, { timeout: 30_000, interval: 100 }).toBe(1);
  kubo.outage = undefined;
  expect(await pin()).toEqual(counts(3, 1));
  await expect.poll(() => kubo.kept.has(cid), { timeout: 30_000, interval: 200 }).toBe(true);
  expect(
    await runSql(url, "select 1 from provenance.outbox where kind = 'pin' and state = 'failed'"),
  ).toEqual([]);
  await service.stop();
});

it('colophon pin reports that there is nothing to pin, and requires DATA_DIR', async () => {
  const empty = await runCli(['pin'], { DATA_DIR: path.join(directory, 'empty') });
  expect([empty.status, empty.stdout]).toEqual([
    0,
    'No project has both stored content and a pinning service.\n',
  ]);
  const { status, stderr } = await runCli(['pin'], {});
  expect([status, stderr]).toEqual([2, expect.stringContaining('DATA_DIR')]);
});
