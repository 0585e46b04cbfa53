import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { withGate } from '../../src/platform/db/citus/close-gate.js';
import { DISTRIBUTION_GATE, isDistributedAtLast } from '../../src/platform/db/citus/cluster-functions.js';
import { followDistribution } from '../../src/platform/db/citus/follow-distribution.js';
import { type Database, NowDistributedError, type Tx, toOutage } from '../../src/platform/db/database.js';
import { openPostgres } from '../../src/platform/db/postgres.js';
import { traceDatabase } from '../../src/platform/db/trace-database.js';
import { isOnCluster } from '../support/citus-databases.js';
import { createEmptyDatabase, runSql } from '../support/postgres-databases.js';

const END_OTHERS = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and application_name not like 'citus%'`;
const NAME = `select current_setting('application_name') as name`;

describe.skipIf(isOnCluster())('a database that becomes a cluster while the service runs', () => {
  let url: string;
  let db: Database;
  let isMoved = false;
  let opened = 0;

  beforeAll(async () => {
    url = await createEmptyDatabase(inject('postgresUrl'));
    const checkSession = async () => {
      if (isMoved) throw new NowDistributedError('moved');
    };
    db = followDistribution(openPostgres(url, { checkSession }), () => {
      opened++;
      return openPostgres(`${url}?application_name=cluster`);
    });
  });
  afterAll(() => db.close());

  it('uses the cluster from the first new session on, without a failed statement', async () => {
    const traced = traceDatabase(db);
    expect(await db.query(NAME)).toEqual([{ name: '' }]);
    isMoved = true;
    // The command ends the open session of the service.
    expect([await db.query(NAME), traced.isDistributed]).toEqual([[{ name: '' }], false]);
    await runSql(url, END_OTHERS);
    await expect.poll(() => db.query(NAME).catch(() => [])).toEqual([{ name: 'cluster' }]);
    expect(traced.isDistributed).toBe(true);
    expect(await db.transaction((tx) => tx.query(NAME))).toEqual([{ name: 'cluster' }]);
    expect(opened).toBe(1);
  });

  it('rejects statements with the error that prevents the opening of the cluster', async () => {
    const checkSession = () => Promise.reject(new NowDistributedError('moved'));
    const refused = followDistribution(openPostgres(url, { checkSession }), () => {
      throw toOutage('The records are elsewhere.', undefined);
    });
    await expect(refused.query('select 1')).rejects.toThrow('The records are elsewhere.');
    await expect(refused.transaction(async () => {})).rejects.toMatchObject({ code: 'Unavailable' });
    await refused.close();
  });

  it('lets new sessions wait while the tables are replaced', async () => {
    const admin = openPostgres(url);
    const node = openPostgres(url, {
      checkSession: async (session) => expect(await isDistributedAtLast(session)).toBe(false),
    });
    const waiting = () =>
      runSql(
        url,
        `select from pg_locks where locktype = 'advisory' and objid = ${DISTRIBUTION_GATE} and not granted`,
      );
    let isReplaced = false;
    const read = await admin.transaction(async (tx) => {
      await tx.query(`select pg_advisory_xact_lock(${DISTRIBUTION_GATE})`);
      const asked = node.query('select 1 as one').then((rows) => ({ rows, isReplaced }));
      await expect.poll(waiting).toHaveLength(1);
      isReplaced = true;
      return { asked };
    });
    expect(await read.asked).toEqual({ rows: [{ one: 1 }], isReplaced: true });
    await node.close();
    await admin.close();
  });

  it('opens the gate at the time limit, with or without a running statement', async () => {
    const admin = openPostgres(url, { keepsSession: false });
    const gate = () => runSql(url, `select pg_try_advisory_lock_shared(${DISTRIBUTION_GATE}) as "isOpen"`);
    const late = (work: (tx: Tx) => Promise<unknown>) =>
      withGate(admin, { gateMs: 300 }, async (tx, { close }) => {
        await close();
        expect(await gate()).toEqual([{ isOpen: false }]);
        await work(tx);
      });
    const message = /longer than 300 ms, so it was cancelled/;
    await expect(late((tx) => tx.query('select pg_sleep(60)'))).rejects.toThrow(message);
    expect(await gate()).toEqual([{ isOpen: true }]);
    const idle = late(async (tx) => {
      await expect.poll(gate).toEqual([{ isOpen: true }]);
      await tx.query('select 1');
    });
    await expect(idle).rejects.toThrow(message);
    await late(async () => {});
    expect(await gate()).toEqual([{ isOpen: true }]);
    await admin.close();
  });

  it('reports a transaction that does not end after its cancellation', async () => {
    const admin = openPostgres(url, { keepsSession: false });
    const reports: string[] = [];
    const report = (warning: string) => void reports.push(warning);
    let pid = 0;
    const stuck = withGate(admin, { gateMs: 100, report }, async (tx, { close }) => {
      const [session] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
      pid = session?.pid ?? 0;
      await close();
      await tx.exec(`do $$ begin
        loop
          begin perform pg_sleep(60); exception when query_canceled then null; end;
        end loop;
      end $$`);
    });
    const ended = expect(stuck).rejects.toThrow('longer than 100 ms');
    await expect.poll(() => reports).toHaveLength(1);
    expect(reports[0]).toMatch(
      /its transaction does not end\. Requests wait for it\. The check of the workers failed/,
    );
    await runSql(url, `select pg_terminate_backend(${pid})`);
    await ended;
    await admin.close();
  });

  it('reports an outage when a new session waits for too long', async () => {
    const admin = openPostgres(url);
    const node = openPostgres(url, {
      connectMs: 300,
      checkSession: async (session) => void (await isDistributedAtLast(session)),
    });
    await admin.transaction(async (tx) => {
      await tx.query(`select pg_advisory_xact_lock(${DISTRIBUTION_GATE})`);
      await expect(node.query('select 1')).rejects.toMatchObject({ code: 'Unavailable' });
    });
    await node.close();
    await admin.close();
  });
});
