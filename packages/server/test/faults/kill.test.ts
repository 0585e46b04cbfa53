import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { createLedger, type Ledger, TENANTS } from '../support/ledger.js';
import { createDatabase, type PostgresServer, startPostgres } from '../support/postgres.js';
import { runSql } from '../support/postgres-databases.js';
import { startProcess } from '../support/process.js';

const ROUNDS = process.env.LONG_TESTS ? 100 : 3;
/** A check reads everything back. */
const ROUNDS_UNCHECKED = 10;
const LONG_MS = 3_600_000;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'colophon-kill-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Until some more were acknowledged: a busy machine needs its time for the first ones. */
async function untilAcknowledged(ledger: Ledger, count: number): Promise<void> {
  for (let tries = 0; ledger.acknowledged < count && tries < 600; tries++) await sleep(50);
}

describe('kill -9 of the service while it records', () => {
  it.each(['PGlite in DATA_DIR', 'PostgreSQL'])(
    'loses nothing acknowledged and shows nothing half-written: %s',
    async (engine) => {
      const environment: Record<string, string> = { ...TENANTS, DATA_DIR: directory };
      if (engine === 'PostgreSQL') environment.DATABASE_URL = await createDatabase(inject('postgresUrl'));
      const ledger = createLedger();
      for (let round = 1; round <= ROUNDS; round++) {
        const service = await startProcess(environment);
        if (round % ROUNDS_UNCHECKED === 0) await ledger.check(service.base);
        const before = ledger.acknowledged;
        const load = ledger.load(service.base);
        await untilAcknowledged(ledger, before + 1);
        await sleep(randomInt(1_000));
        await service.kill9();
        await load.stop();
      }
      expect(ledger.acknowledged).toBeGreaterThanOrEqual(ROUNDS);
      const service = await startProcess(environment);
      await ledger.check(service.base);
      expect(await service.stop()).toBe(0);
    },
    LONG_MS,
  );
});

describe('PostgreSQL goes away while the service records', () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres({ fsync: true });
  });
  afterAll(() => postgres.stop());

  const TIMES = process.env.LONG_TESTS ? 20 : 2;

  async function recordWhile(disturb: () => Promise<unknown>): Promise<Ledger> {
    const url = await createDatabase(postgres.url);
    const service = await startProcess({ ...TENANTS, DATABASE_URL: url, DATA_DIR: directory });
    const ledger = createLedger();
    const load = ledger.load(service.base);
    for (let time = 0; time < TIMES; time++) {
      await untilAcknowledged(ledger, ledger.acknowledged + 20);
      await disturb();
    }
    await untilAcknowledged(ledger, ledger.acknowledged + 20);
    await load.stop();
    await ledger.check(service.base);
    expect(await service.stop()).toBe(0);
    return ledger;
  }

  it(
    'by kill -9: 503 while it is away, nothing acknowledged is lost, nothing is half-written',
    async () => {
      const ledger = await recordWhile(async () => {
        await postgres.kill9();
        await sleep(300);
        await postgres.restart();
      });
      expect([...ledger.statuses.keys()].sort()).toEqual([201, 503]);
    },
    LONG_MS,
  );

  it(
    'by a restart: the same',
    async () => {
      const ledger = await recordWhile(() => postgres.restart());
      expect([...ledger.statuses.keys()].filter((status) => status !== 503)).toEqual([201]);
    },
    LONG_MS,
  );

  it(
    'as its connections are cut: the same',
    async () => {
      const ledger = await recordWhile(async () => {
        for (let cut = 0; cut < 10; cut++) {
          await runSql(
            postgres.url,
            `select pg_terminate_backend(pid) from pg_stat_activity
           where backend_type = 'client backend' and pid <> pg_backend_pid()`,
          );
          await sleep(randomInt(100));
        }
      });
      expect([...ledger.statuses.keys()].filter((status) => status !== 503)).toEqual([201]);
    },
    LONG_MS,
  );
});
