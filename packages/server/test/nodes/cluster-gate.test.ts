import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { whileCopying } from '../../src/cli/db.js';
import {
  DISTRIBUTION_GATE,
  isDistributed,
  isDistributedAtLast,
} from '../../src/platform/db/citus/cluster-functions.js';
import type { DistributeOptions } from '../../src/platform/db/citus/copy-to-shards.js';
import { distribute } from '../../src/platform/db/citus/distribute.js';
import type { Database, Tx } from '../../src/platform/db/database.js';
import { openPostgres } from '../../src/platform/db/postgres.js';
import { isOnCluster, joinNodes, listNodeUrls, listServerProcesses } from '../support/citus-databases.js';
import { createEmptyDatabase, runSql } from '../support/postgres-databases.js';
import { type Service, startService } from '../support/service.js';

function watched(db: Database, see: (text: string) => Promise<void> | void): Database {
  const query: Database['query'] = async (text, parameters, signal) => {
    await see(text);
    return db.query(text, parameters, signal);
  };
  const watch = (tx: Tx): Tx => ({
    ...tx,
    query: async (text, parameters, signal) => {
      await see(text);
      return tx.query(text, parameters, signal);
    },
    exec: async (sql) => {
      await see(sql);
      return tx.exec(sql);
    },
  });
  return { ...db, query, transaction: (run, options) => db.transaction((tx) => run(watch(tx)), options) };
}

describe.runIf(isOnCluster())('a distribution that fails', () => {
  let url: string;
  let db: Database;
  let service: Service;

  const start = (environment = {}) =>
    startService('PostgreSQL', { environment: { DATABASE_URL: url, ...environment } });
  const tables = () =>
    runSql(url, `select oid from pg_class where relnamespace = 'provenance'::regnamespace order by oid`);
  const isGateOpen = async () => {
    const [row] = await runSql(url, `select pg_try_advisory_lock_shared(${DISTRIBUTION_GATE}) as open`);
    return row?.open;
  };
  /** Returns the state of the gate at each step of the clean-up. */
  async function fail(message: string | RegExp, options: DistributeOptions, see: (text: string) => unknown) {
    const before = await tables();
    const gates: unknown[] = [];
    const seeing = watched(db, async (text) => {
      if (text.includes('drop trigger')) gates.push(await isGateOpen());
      await see(text);
    });
    await expect(distribute(seeing, options)).rejects.toThrow(message);
    expect(await tables()).toEqual(before);
    expect(await isDistributed(db)).toBe(false);
    expect((await service.upload(`a text, written at ${performance.now()}`)).status).toBe(201);
    return gates;
  }

  beforeAll(async () => {
    url = await createEmptyDatabase(inject('postgresUrl'));
    await joinNodes(url);
    db = openPostgres(url, { keepsSession: false, statementMs: 0 });
    service = await start();
    expect((await service.upload('a text')).status).toBe(201);
  });
  afterAll(async () => {
    await service.stop();
    await db.close();
  });

  it('opens the gate before it drops the copies', async () => {
    const gates = await fail('no session ends', {}, (text) => {
      if (text.includes('pg_terminate_backend(pid)')) throw new Error('no session ends');
    });
    expect(gates.length).toBeGreaterThan(35);
    expect(new Set(gates)).toEqual(new Set([true]));
  });

  it('opens the gate after its time limit while a worker does not answer', async () => {
    const [, worker = ''] = await listNodeUrls(url);
    const other = openPostgres(worker, { keepsSession: false });
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let hanging: Promise<void> | undefined;
    // A read lock on a copy delays only the replacement of the tables, because only the replacement alters the copy.
    const advance = async () => {
      if (hanging !== undefined) return;
      await new Promise<void>((resolve, reject) => {
        hanging = other.transaction(async (tx) => {
          await tx.exec(`set local citus.override_table_visibility = off; set local citus.enable_manual_changes_to_shards = on;
            do $$ begin execute (select format('lock table %s in access share mode', oid::regclass)
            from pg_class where relname ~ '^entity_\\d+$' and relnamespace = 'provenance_next'::regnamespace limit 1);
            end $$`);
          resolve();
          await released;
        });
        hanging.catch(reject);
      });
    };
    const gates = await fail(/longer than 2000 ms/, { advance, gateMs: 2_000 }, (text) => {
      if (text.includes('drop trigger')) release();
    });
    await hanging;
    await other.close();
    expect(new Set(gates)).toEqual(new Set([true]));
  });

  /** Returns the function that continues the processes. */
  async function freeze(worker: string): Promise<() => void> {
    const processes = await listServerProcesses(worker);
    const send = (signal: NodeJS.Signals) => {
      for (const pid of processes) if (existsSync(`/proc/${pid}`)) process.kill(pid, signal);
    };
    const thaw = () => send('SIGCONT');
    onTestFinished(thaw);
    send('SIGSTOP');
    return thaw;
  }

  it('names a worker that freezes during the replacement, and how to end the wait', async (context) => {
    const [, worker = ''] = await listNodeUrls(url);
    if ((await listServerProcesses(worker)).length === 0) context.skip('The worker is on another machine.');
    const reports: string[] = [];
    let thaw = () => {};
    const report = (warning: string) => {
      reports.push(warning);
      thaw();
    };
    const gates = await fail(/longer than 4000 ms/, { gateMs: 4_000, report }, async (text) => {
      if (text.startsWith('drop table provenance.')) thaw = await freeze(worker);
    });
    expect(new Set(gates)).toEqual(new Set([true]));
    expect(reports).toEqual([
      expect.stringMatching(
        `Requests wait for it. These workers accepted no connection .*${new URL(worker).host}`,
      ),
      expect.stringContaining('The command now removes its copies'),
    ]);
  });

  it('locks no table while a worker is frozen', async (context) => {
    const [, worker = ''] = await listNodeUrls(url);
    if ((await listServerProcesses(worker)).length === 0) context.skip('The worker is on another machine.');
    let thaw = () => {};
    const report = () => thaw();
    const locks: string[] = [];
    await fail(/accepted no connection.*Check PostgreSQL on them/, { report }, async (text) => {
      if (text.includes(`run_command_on_workers('select 1')`)) thaw = await freeze(worker);
      if (text.includes('in access exclusive mode')) locks.push(text);
    });
    expect(locks).toEqual([]);
  });

  it('asks to stop nodes with DATABASE_POOLER=transaction, and changes nothing', async () => {
    const behind = await start({ DATABASE_POOLER: 'transaction' });
    const gates = await fail('Stop all nodes with DATABASE_POOLER=transaction', {}, () => {});
    expect(gates).toEqual([]);
    await behind.stop();
  });

  it('says that the tables are already replaced if the interruption comes too late', async () => {
    const stopping = new AbortController();
    const late = watched(db, (text) => {
      if (text.includes('pg_terminate_backend(pid)')) stopping.abort(new Error('Interrupted.'));
      if (stopping.signal.aborted && text.includes('run_command_on_workers')) throw new Error('no answer');
    });
    const copying = whileCopying(db, {
      copy: (options) => distribute(late, options),
      isReplaced: () => isDistributedAtLast(db),
      stopping,
    });
    await expect(copying).rejects.toThrow('Interrupted. The tables are already replaced.');
    expect(await distribute(db)).toEqual({ tables: [], pausedMs: 0 });
    await expect
      .poll(async () => (await service.upload(`a text, written at ${performance.now()}`)).status)
      .toBe(201);
  });
});

describe('an interrupted copy', () => {
  const interrupt = async (isReplaced: () => Promise<boolean>) => {
    const db = openPostgres(await createEmptyDatabase(inject('postgresUrl')));
    const stopping = new AbortController();
    const copy = async ({ signal }: DistributeOptions) => {
      stopping.abort(new Error('Interrupted.'));
      signal?.throwIfAborted();
    };
    return whileCopying(db, { copy, isReplaced, stopping }).finally(() => db.close());
  };

  it('looks at the tables before it says whether they are unchanged', async () => {
    await expect(interrupt(async () => false)).rejects.toThrow('Interrupted. The tables are unchanged.');
    await expect(interrupt(async () => true)).rejects.toThrow('The tables are already replaced.');
    const outage = async () => Promise.reject(new Error('no connection'));
    await expect(interrupt(outage)).rejects.toThrow('It is not known whether the tables are replaced');
  });
});
