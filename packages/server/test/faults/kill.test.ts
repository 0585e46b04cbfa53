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
/** Every 25th round reads back all records. */
const ROUNDS_OF_A_WHOLE_CHECK = 25;
const LONG_MS = 3_600_000;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'colophon-kill-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

async function recordUntil(
  { ledger, base, moreMs }: { ledger: Ledger; base: string; moreMs: number },
  end: () => Promise<void> = async () => {},
): Promise<void> {
  const load = ledger.load(base);
  await ledger.untilAcknowledged(1);
  await sleep(moreMs);
  await end();
  await load.stop();
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
        const { base } = service;
        await recordUntil({ ledger, base, moreMs: 0 });
        await (round % ROUNDS_OF_A_WHOLE_CHECK === 0 ? ledger.check(base) : ledger.checkLatest(base));
        await recordUntil({ ledger, base, moreMs: randomInt(1_000) }, () => {
          ledger.faultBegins();
          return service.kill9();
        });
      }
      expect(ledger.acknowledged).toBeGreaterThanOrEqual(ROUNDS);
      const service = await startProcess(environment);
      await recordUntil({ ledger, base: service.base, moreMs: 0 });
      await ledger.check(service.base);
      ledger.report({
        fault: `kill -9 of the service, ${engine}`,
        how: 'SIGKILL at random moments',
        rounds: ROUNDS,
      });
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

  async function recordWhile(how: string, disturb: () => Promise<unknown>): Promise<Ledger> {
    const url = await createDatabase(postgres.url);
    const service = await startProcess({ ...TENANTS, DATABASE_URL: url, DATA_DIR: directory });
    const ledger = createLedger();
    const load = ledger.load(service.base);
    for (let time = 0; time < TIMES; time++) {
      await ledger.untilAcknowledged(20);
      ledger.faultBegins();
      await disturb();
    }
    await ledger.untilAcknowledged(20);
    await load.stop();
    await ledger.check(service.base);
    ledger.report({ fault: 'PostgreSQL goes away', how, rounds: TIMES });
    expect(await service.stop()).toBe(0);
    return ledger;
  }

  it(
    'by kill -9: 503 during the outage, nothing acknowledged is lost, nothing is half-written',
    async () => {
      const ledger = await recordWhile('kill -9 of the server', async () => {
        await postgres.kill9();
        await sleep(300);
        await postgres.restart();
      });
      expect([...ledger.statuses.keys()].sort()).toEqual([201, 503]);
    },
    LONG_MS,
  );

  it(
    'by a restart: no error except 503, nothing acknowledged is lost, nothing is half-written',
    async () => {
      const ledger = await recordWhile('restarted', () => postgres.restart());
      expect([...ledger.statuses.keys()].filter((status) => status !== 503)).toEqual([201]);
    },
    LONG_MS,
  );

  it(
    'by cut connections: no error except 503, nothing acknowledged is lost, nothing is half-written',
    async () => {
      const ledger = await recordWhile('its connections cut, ten times a round', async () => {
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
