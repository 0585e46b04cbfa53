import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseCheckpoint } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { freePort } from '../support/free-port.js';
import { createDatabase, type PostgresServer, startPostgres } from '../support/postgres.js';
import { runSql } from '../support/postgres-databases.js';
import { runCli } from '../support/run-cli.js';
import { jsonPost, type Service, startService } from '../support/service.js';
import { startTcpGate, type TcpGate } from '../support/tcp-gate.js';

const POLLING = { timeout: 30_000, interval: 100 };
/** The delay in each direction. */
const DELAY_MS = 20;
const ROUND_TRIP_MS = 2 * DELAY_MS;

function at(url: string, { port }: { port: number | string }): string {
  const there = new URL(url);
  there.port = String(port);
  return there.href;
}
const portOf = (server: PostgresServer) => Number(new URL(server.url).port);

const record = (service: Service, id: string, signal?: AbortSignal) =>
  service.send('/v1/entity', { ...jsonPost({ id, role: 'human' }), ...(signal ? { signal } : {}) });
const statusOf = async (service: Service, id: string) => (await service.send(`/v1/entity/${id}`)).status;
const readinessOf = async (service: Service) => (await (await fetch(`${service.base}/readyz`)).json()).checks;
const signedSize = async (service: Service) =>
  parseCheckpoint(await (await service.send('/v1/log/checkpoint')).text())?.size;

/** Returns the times in milliseconds. */
async function measure(count: number, call: (index: number) => Promise<unknown>) {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const from = performance.now();
    await call(index);
    times.push(performance.now() - from);
  }
  times.sort((one, other) => one - other);
  return { fastest: times[0] ?? 0, median: times[Math.floor(count / 2)] ?? 0 };
}

/** With REGIONS_REPORT, prints the figures for docs/operate/scale.md. */
function report(figures: object): void {
  if (process.env.REGIONS_REPORT) process.stdout.write(`${JSON.stringify(figures)}\n`);
}

describe('two regions with an asynchronous replica', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'colophon-regions-'));
  const services: Service[] = [];
  let primary: PostgresServer;
  let replica: PostgresServer;
  let stream: TcpGate;
  let wire: TcpGate;
  let url: string;
  /** `home` is beside the primary, and `far` beside the replica. */
  let home: Service;
  let far: Service;

  const start = async (environment: Record<string, string>) => {
    const more = { DATA_DIR: directory, AUDIT_INTERVAL_MINUTES: '0' };
    const service = await startService('PostgreSQL', { environment: { ...more, ...environment } });
    services.push(service);
    return service;
  };
  const replicaUrl = () => at(url, { port: portOf(replica) });
  /** DATABASE_DIRECT_URL has no delay, so the migrations take fewer seconds. */
  const startFar = (more: Record<string, string>) =>
    start({
      ...{ DATABASE_URL: at(url, wire), DATABASE_DIRECT_URL: url, DATABASE_REPLICA_URL: replicaUrl() },
      ...more,
    });

  beforeAll(async () => {
    primary = await startPostgres({ fsync: true });
    url = await createDatabase(primary, 'regions');
    stream = await startTcpGate(portOf(primary), { delayMs: DELAY_MS });
    wire = await startTcpGate(portOf(primary), { delayMs: DELAY_MS });
    home = await start({ DATABASE_URL: url });
    replica = await startPostgres({ fsync: true, standbyOf: at(primary.url, stream) });
    far = await startFar({ DATABASE_REPLICA_STALENESS_MS: '1000' });
    await record(home, 'ann');
    await vi.waitFor(async () => expect((await readinessOf(far)).replica).toBe('ok'), POLLING);
    await vi.waitFor(async () => expect(await statusOf(far, 'ann')).toBe(200), POLLING);
  });
  afterAll(async () => {
    for (const service of services) await service.stop();
    await stream?.close();
    await wire?.close();
    await replica?.stop();
    await primary?.stop();
    rmSync(directory, { recursive: true });
  });

  it('a read near the replica costs no round trip to the other region, and a write does', async () => {
    const strict = await startFar({});
    await vi.waitFor(async () => expect((await readinessOf(strict)).replica).toBe('ok'), POLLING);
    const near = await measure(40, () => statusOf(far, 'ann'));
    const exact = await measure(20, () => statusOf(strict, 'ann'));
    const write = await measure(20, (index) => record(far, `far-${index}`));
    const local = await measure(20, (index) => record(home, `home-${index}`));
    report({ near, exact, write, local });
    for (const { fastest } of [near, local]) expect(fastest).toBeLessThan(ROUND_TRIP_MS);
    for (const { fastest } of [exact, write]) expect(fastest).toBeGreaterThan(ROUND_TRIP_MS - 1);
    await strict.stop();
    services.pop();
  });

  it('a replica is not promoted while the primary answers', async () => {
    const refused = await runCli(['promote'], { DATABASE_URL: url, DATABASE_REPLICA_URL: replicaUrl() });
    expect(refused).toMatchObject({ status: 3, stderr: expect.stringContaining('still answers') });
    await runSql(primary.url, 'create role full login connection limit 0');
    const full = new URL(url);
    full.username = 'full';
    const elsewhere = at(url, { port: await freePort() });
    for (const [DATABASE_URL, reason] of [
      [full.href, 'still answers'],
      [elsewhere, 'still receives'],
    ] as const)
      expect(await runCli(['promote'], { DATABASE_URL, DATABASE_REPLICA_URL: replicaUrl() })).toMatchObject({
        status: 3,
        stderr: expect.stringContaining(reason),
      });
    const direct = { DATABASE_URL: elsewhere, DATABASE_DIRECT_URL: url };
    expect(await runCli(['promote'], { ...direct, DATABASE_REPLICA_URL: replicaUrl() })).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('still answers'),
    });
    expect(await runSql(replica.url, 'select pg_is_in_recovery() as is')).toEqual([{ is: true }]);
  });

  it('a running node signs no log that lost leaves in a fail-over, and continues to record', async () => {
    await signedSize(far);
    await record(home, 'kept');
    await vi.waitFor(async () => expect(await statusOf(far, 'kept')).toBe(200), POLLING);
    stream.hold();
    expect((await record(home, 'lost')).status).toBe(201);
    const signed = (await signedSize(home)) ?? 0;
    await home.stop();
    services.splice(services.indexOf(home), 1);
    await primary.kill9();
    await stream.close();

    const from = performance.now();
    const promoted = await runCli(['promote'], { DATABASE_URL: url, DATABASE_REPLICA_URL: replicaUrl() });
    expect(promoted).toMatchObject({ status: 0, stdout: expect.stringContaining('timeline 2') });
    wire.move(portOf(replica));
    await vi.waitFor(async () => expect((await record(far, 'new')).status).toBe(201), POLLING);
    report({ failOverMs: performance.now() - from });
    for (const id of ['newer', 'newest']) expect((await record(far, id)).status).toBe(201);
    expect([await statusOf(far, 'kept'), await statusOf(far, 'lost')]).toEqual([200, 404]);

    const refused = await far.send('/v1/log/checkpoint');
    expect(refused.status).toBe(503);
    expect((await refused.json()).error.message).toContain(
      `has ${signed + 2} leaves, but does not continue its signed tree of ${signed} leaves`,
    );
    expect((await readinessOf(far)).log).toContain('lost signed leaves');
    const environment = { DATABASE_URL: replicaUrl(), DATA_DIR: directory };
    expect(await runCli(['log', 'check'], environment)).toMatchObject({ status: 3 });
  }, 60_000);

  it('an old primary that starts again accepts writes until it is fenced', async () => {
    await primary.restart();
    const old = await start({ DATABASE_URL: url });
    expect((await record(old, 'split')).status).toBe(201);
    expect(await statusOf(far, 'split')).toBe(404);
    await runSql(primary.url, 'alter system set default_transaction_read_only = on');
    await runSql(primary.url, 'select pg_reload_conf()');
    await vi.waitFor(async () => expect((await record(old, 'fenced')).status).toBe(503), POLLING);
    expect(await statusOf(old, 'split')).toBe(200);
  }, 60_000);
});

describe('two regions with a synchronous replica', () => {
  it('lose no acknowledged record and no signed leaf in a fail-over', async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'colophon-regions-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const primary = await startPostgres({ fsync: true });
    onTestFinished(() => primary.stop());
    const url = await createDatabase(primary, 'regions');
    const stream = await startTcpGate(portOf(primary), { delayMs: DELAY_MS });
    onTestFinished(() => stream.close());
    const services: Service[] = [];
    onTestFinished(async () => {
      for (const service of services) await service.stop();
    });
    const start = async (DATABASE_URL: string) => {
      const service = await startService('PostgreSQL', {
        environment: { DATABASE_URL, DATA_DIR: directory },
      });
      services.push(service);
      return service;
    };
    const home = await start(url);
    const replica = await startPostgres({ fsync: true, standbyOf: at(primary.url, stream) });
    onTestFinished(() => replica.stop());
    const replicaUrl = at(url, { port: portOf(replica) });
    await runSql(primary.url, `alter system set synchronous_standby_names = '*'`);
    await runSql(primary.url, `select pg_reload_conf()`);
    const isSynchronous = () =>
      runSql(primary.url, `select from pg_stat_replication where sync_state = 'sync'`);
    await vi.waitFor(async () => expect(await isSynchronous()).toHaveLength(1), POLLING);
    const synchronous = await measure(10, (index) => record(home, `kept-${index}`));
    report({ synchronous });
    expect(synchronous.fastest).toBeGreaterThan(ROUND_TRIP_MS - 1);

    stream.hold();
    const unconfirmed = record(home, 'unconfirmed', AbortSignal.timeout(1_000));
    await expect(unconfirmed).rejects.toThrow('timeout');
    const signed = (await signedSize(home)) ?? 0;
    expect(signed).toBe(10);
    await primary.kill9();
    await home.stop();
    services.pop();
    await stream.close();
    const promoted = await runCli(['promote', '--json'], {
      DATABASE_URL: url,
      DATABASE_REPLICA_URL: replicaUrl,
    });
    expect(JSON.parse(promoted.stdout)).toMatchObject({ timeline: 2, isNew: true });
    const node = await start(replicaUrl);
    for (let index = 0; index < 10; index++) expect(await statusOf(node, `kept-${index}`)).toBe(200);
    expect(await statusOf(node, 'unconfirmed')).toBe(404);
    expect((await record(node, 'after')).status).toBe(201);
    expect(await signedSize(node)).toBe(signed + 1);
  }, 60_000);
});
