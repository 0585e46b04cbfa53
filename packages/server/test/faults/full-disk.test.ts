import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLedger, type Ledger, TENANTS } from '../support/ledger.js';
import { startProcess } from '../support/process.js';

vi.setConfig({ testTimeout: 600_000 });

const ROUNDS = process.env.LONG_TESTS ? 10 : 2;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'colophon-full-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

interface Disk {
  fill(): void;
  empty(): void;
}

async function untilRefused(ledger: Ledger, count: number): Promise<void> {
  const goal = (ledger.statuses.get(503) ?? 0) + count;
  while ((ledger.statuses.get(503) ?? 0) < goal) await sleep(20);
}

/** Checks the records in the process that recorded them, and in another one on the same data. */
async function recordOn(disk: Disk, environment: Record<string, string>): Promise<Ledger> {
  const ledger = createLedger();
  const service = await startProcess(environment);
  const load = ledger.load(service.base);
  for (let round = 0; round < ROUNDS; round++) {
    await ledger.untilAcknowledged(20);
    disk.fill();
    await untilRefused(ledger, 20);
    expect((await fetch(`${service.base}/healthz`)).status).toBe(200);
    await sleep(500);
    disk.empty();
    ledger.faultBegins();
    await ledger.untilAcknowledged(1);
  }
  await ledger.untilAcknowledged(20);
  await load.stop();
  expect([...ledger.statuses.keys()].sort()).toEqual([201, 503]);
  await ledger.check(service.base);
  expect(await service.stop()).toBe(0);

  const again = await startProcess(environment);
  await ledger.check(again.base);
  expect(await again.stop()).toBe(0);
  return ledger;
}

/** Makes functions of Node fail as on a full disk. `bytes`: the functions that store the bytes of contents. */
function createFailingCalls(part: 'database' | 'bytes'): { disk: Disk; preload: string } {
  const flag = path.join(directory, 'full');
  const preload = path.join(directory, 'preload.cjs');
  writeFileSync(
    preload,
    `const fs = require('node:fs');
     const threads = require('node:worker_threads');
     const { isMainThread, workerData, Worker } = threads;
     // Threads without environment variables ignore NODE_OPTIONS, so each thread gets the option here.
     if (isMainThread) threads.Worker = class extends Worker {
       constructor(file, options) {
         super(file, { ...options, execArgv: ['--require', __filename] });
       }
     };
     const isDatabase = !isMainThread && Boolean(workerData);
     const orFull = (real) => function (...given) {
       if (!fs.existsSync(${JSON.stringify(flag)})) return real.apply(this, given);
       throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
     };
     if (isDatabase ? ${part === 'database'} : !isMainThread && ${part === 'bytes'})
       for (const name of ['writeSync', 'writeFileSync', 'ftruncateSync']) fs[name] = orFull(fs[name]);
     if (isMainThread && ${part === 'bytes'}) {
       const open = fs.promises.open;
       fs.promises.open = async (...given) => {
         const file = await open(...given);
         const write = file.write.bind(file);
         file.write = async (...given) => orFull(write)(...given);
         return file;
       };
     }
     require('node:module').syncBuiltinESMExports();`,
  );
  const disk = { fill: () => writeFileSync(flag, ''), empty: () => rmSync(flag) };
  return { disk, preload };
}

it.each(['database', 'bytes'] as const)(
  'no space for the %s: 503, and the service recovers when there is space; nothing acknowledged is lost',
  async (part) => {
    const { disk, preload } = createFailingCalls(part);
    const NODE_OPTIONS = `--require ${preload}`;
    const ledger = await recordOn(disk, {
      ...TENANTS,
      DATA_DIR: path.join(directory, 'data'),
      NODE_OPTIONS,
    });
    const how = 'calls that write answer ENOSPC';
    ledger.report({ fault: `disk full, for the ${part}`, how, rounds: ROUNDS });
  },
);

const MEBIBYTE = 2 ** 20;

/** Only root can mount a file system. */
function mount(): string | undefined {
  const place = path.join(directory, 'disk');
  mkdirSync(place);
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'colophon', place]);
  return status === 0 ? place : undefined;
}

it('a full file system: 503, and the service recovers when there is space; nothing acknowledged is lost', async ({
  skip,
}) => {
  const place = mount();
  if (place === undefined) return skip('only root can mount a file system');
  try {
    const ballast = path.join(place, 'ballast');
    const fill = () => {
      const { bavail, bsize } = statfsSync(place);
      // The disk becomes full at an arbitrary call.
      writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - MEBIBYTE)));
    };
    const disk = { fill, empty: () => rmSync(ballast) };
    const ledger = await recordOn(disk, { ...TENANTS, DATA_DIR: path.join(place, 'data') });
    ledger.report({ fault: 'disk full, for both', how: 'a tmpfs without room', rounds: ROUNDS });
  } finally {
    execFileSync('umount', [place]);
  }
});
