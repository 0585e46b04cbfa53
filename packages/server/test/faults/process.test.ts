import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, inject, it, vi } from 'vitest';
import { createLedger, TENANTS } from '../support/ledger.js';
import { createMigratedDatabase } from '../support/postgres.js';
import { residentBytes, startProcess } from '../support/process.js';
import { ANN_CREATES, KEY, toForm } from '../support/service.js';

vi.setConfig({ testTimeout: 600_000 });

const IDLE_CONNECTIONS = 10_000;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'colophon-faults-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

async function onPostgres(): Promise<Record<string, string>> {
  const DATABASE_URL = await createMigratedDatabase(inject('postgresUrl'));
  return { ...TENANTS, DATABASE_URL, DATA_DIR: directory };
}

/** Each thread runs this script before the code of the service. */
function withPreload(script: string): Record<string, string> {
  const file = path.join(directory, 'preload.cjs');
  writeFileSync(file, script);
  return { ...TENANTS, DATA_DIR: path.join(directory, 'data'), NODE_OPTIONS: `--require ${file}` };
}

it('a clock that jumps one day forward and back: recording continues, and no record is lost or doubled', async () => {
  const offset = path.join(directory, 'offset');
  writeFileSync(offset, '0');
  const environment = withPreload(`
    const fs = require('node:fs');
    const Real = Date;
    const now = () => Real.now() + Number(fs.readFileSync(${JSON.stringify(offset)}, 'utf8'));
    globalThis.Date = class extends Real {
      constructor(...given) { if (given.length === 0) super(now()); else super(...given); }
      static now() { return now(); }
    };`);
  const service = await startProcess(environment);
  const ledger = createLedger();
  const load = ledger.load(service.base, 4);
  for (const jump of [86_400_000, -86_400_000, 0]) {
    await ledger.untilAcknowledged(20);
    ledger.faultBegins();
    writeFileSync(offset, String(jump));
  }
  await ledger.untilAcknowledged(20);
  await load.stop();
  expect([...ledger.statuses.keys()]).toEqual([201]);
  await ledger.check(service.base);
  ledger.report({ fault: 'the clock jumps', how: 'a day on, a day back', rounds: 3 });
  expect(await service.stop()).toBe(0);
});

it('a main loop blocked for seconds: callers wait, and nothing is lost or done twice', async () => {
  const environment = withPreload(`
    if (require('node:worker_threads').isMainThread) process.on('SIGUSR2', () => {
      const end = performance.now() + 4000;
      while (performance.now() < end);
    });`);
  const service = await startProcess(environment);
  const ledger = createLedger();
  const load = ledger.load(service.base, 8);
  for (let time = 0; time < 3; time++) {
    await ledger.untilAcknowledged(20);
    ledger.faultBegins();
    process.kill(service.pid, 'SIGUSR2');
  }
  await ledger.untilAcknowledged(20);
  await load.stop();
  expect([...ledger.statuses.keys()]).toEqual([201]);
  await ledger.check(service.base);
  ledger.report({
    fault: 'the event loop is blocked',
    how: '4 s of computing on the main thread',
    rounds: 3,
  });
  expect(await service.stop()).toBe(0);
});

const largeContent = () => Buffer.concat([randomBytes(16), Buffer.alloc(48 * 2 ** 20)]);

it('a heap of 128 MB: the service survives many large uploads', async () => {
  // The ledger records in the two other projects.
  const large = { key: 'test-key-of-large-uploads', form: () => toForm(largeContent(), ANN_CREATES) };
  const API_KEYS = `${TENANTS.API_KEYS},${large.key}:large`;
  const environment = { ...TENANTS, API_KEYS, DATA_DIR: directory, NODE_OPTIONS: '--max-old-space-size=128' };
  const service = await startProcess(environment);
  const ledger = createLedger();
  const load = ledger.load(service.base, 32);
  const headers = { authorization: `Bearer ${large.key}` };
  const upload = () => service.send('/v1/activity', { method: 'POST', body: large.form(), headers });
  for (let time = 0; time < 4; time++) {
    const statuses = (await Promise.all([upload(), upload()])).map(({ status }) => status);
    for (const status of statuses) expect([201, 503]).toContain(status);
  }
  await load.stop();
  expect([...ledger.statuses.keys()].filter((status) => status !== 503)).toEqual([201]);
  expect((await service.send('/readyz')).status).toBe(200);
  await ledger.check(service.base);
  const how = 'a heap of 128 MB, 32 callers and uploads of 48 MiB by two';
  ledger.report({ fault: 'memory is short', how, rounds: 1 });
  expect(await service.stop()).toBe(0);
});

it(`${IDLE_CONNECTIONS} idle connections do not block other clients`, async () => {
  // All connections of this test come from one address.
  const environment = { MAX_ADDRESS_CONNECTIONS: String(2 * IDLE_CONNECTIONS) };
  const service = await startProcess({ ...(await onPostgres()), ...environment });
  const { hostname, port } = new URL(service.base);
  const before = residentBytes(service.pid);
  const sockets: Socket[] = [];
  let failed = 0;
  for (let count = 0; count < IDLE_CONNECTIONS; count += 100) {
    const connecting = Array.from({ length: 100 }, () => {
      const socket = connect(Number(port), hostname);
      sockets.push(socket);
      return new Promise<void>((resolve) => {
        socket.once('connect', resolve);
        socket.once('error', () => {
          failed += 1;
          resolve();
        });
      });
    });
    await Promise.all(connecting);
  }
  const perConnection = (residentBytes(service.pid) - before) / IDLE_CONNECTIONS;
  const ledger = createLedger();
  ledger.faultBegins();
  const load = ledger.load(service.base, 4);
  await ledger.untilAcknowledged(20);
  await load.stop();
  for (const socket of sockets) socket.destroy();
  expect(failed).toBe(0);
  expect([...ledger.statuses.keys()]).toEqual([201]);
  expect(perConnection).toBeLessThan(64 * 1024);
  await ledger.check(service.base);
  const how = `${IDLE_CONNECTIONS} that say nothing, each ${(perConnection / 1024).toFixed(1)} KiB of memory`;
  ledger.report({ fault: 'idle connections', how, rounds: 1 });
  expect(await service.stop()).toBe(0);
});

const SLOW_SENDERS = 200;

it(`${SLOW_SENDERS} senders of one byte a second are disconnected, and do not block other clients`, async () => {
  const service = await startProcess(await onPostgres());
  const { hostname, port } = new URL(service.base);
  const head =
    `POST /v1/activity HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${KEY}\r\n` +
    'content-type: multipart/form-data; boundary=b\r\ncontent-length: 1000000\r\n\r\n' +
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
  let open = 0;
  const sockets = Array.from({ length: SLOW_SENDERS }, () => {
    const socket = connect(Number(port), hostname, () => socket.write(head));
    open++;
    socket.on('error', () => {}).on('close', () => open--);
    return socket.resume();
  });
  const dribble = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('x');
  }, 1_000);
  const ledger = createLedger();
  ledger.faultBegins();
  const load = ledger.load(service.base, 4);
  while (open > 0) await sleep(100);
  clearInterval(dribble);
  await ledger.untilAcknowledged(20);
  await load.stop();
  expect([...ledger.statuses.keys()]).toEqual([201]);
  await ledger.check(service.base);
  expect(readdirSync(path.join(directory, 'blobs', 'tmp'))).toEqual([]);
  ledger.report({ fault: 'slow senders', how: `${SLOW_SENDERS} that send a byte a second`, rounds: 1 });
  expect(await service.stop()).toBe(0);
});

const READ_ONLY = ['/sys/colophon', '/proc/colophon/data'];

it.each(READ_ONLY)('a read-only directory: the start fails and names the directory: %s', async (place) => {
  const starting = startProcess({ ...TENANTS, DATA_DIR: place });
  await expect(starting).rejects.toThrow(/The directory \/(sys|proc)\/colophon cannot be created/);
});

it.each(READ_ONLY)(
  'a read-only directory that is only for bytes: the start fails and names the directory: %s',
  async (place) => {
    const DATABASE_URL = await createMigratedDatabase(inject('postgresUrl'));
    const starting = startProcess({ ...TENANTS, DATABASE_URL, DATA_DIR: place });
    await expect(starting).rejects.toThrow(/The directory \/(sys|proc)\/colophon cannot be created/);
  },
);

it('a file in place of the directory: the start fails and names the directory', async () => {
  const place = path.join(mkdtempSync(path.join(tmpdir(), 'colophon-file-')), 'data');
  writeFileSync(place, 'a file');
  const starting = startProcess({ ...TENANTS, DATA_DIR: place });
  await expect(starting).rejects.toThrow(`The directory ${place} cannot be created`);
  rmSync(path.dirname(place), { recursive: true });
});
