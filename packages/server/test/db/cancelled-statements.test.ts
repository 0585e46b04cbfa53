import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { type Database, untilAborted } from '../../src/platform/db/database.js';
import { openPostgres } from '../../src/platform/db/postgres.js';
import { HAS_PGBOUNCER, startPgbouncer } from '../support/pgbouncer.js';
import { createDatabase } from '../support/postgres.js';

const LONG = 'select pg_sleep(50)';
const RUNNING = `select pid from pg_stat_activity where state = 'active' and query = '${LONG}'`;
const SOON = { timeout: 5_000, interval: 10 };

describe.each(['PostgreSQL itself', 'a pooler'])('an abandoned statement, on %s', (kind) => {
  const isMissing = kind === 'a pooler' && !HAS_PGBOUNCER;
  const opened: { close(): Promise<void> }[] = [];
  let watcher: Database;
  let db: Database;
  let url: string;

  beforeAll(async () => {
    if (isMissing) return;
    const direct = await createDatabase(inject('postgresUrl'));
    watcher = openPostgres(direct, { connections: 1 });
    opened.push(watcher);
    url = direct;
    if (kind === 'a pooler') {
      const pooler = await startPgbouncer(direct, 2);
      opened.push({ close: () => pooler.stop() });
      url = pooler.url;
    }
    db = openPostgres(url, { connections: 1, keepsSession: kind !== 'a pooler' });
    opened.unshift(db);
  });
  afterAll(async () => {
    for (const one of opened) await one.close();
  });

  const running = async () => (await watcher.query(RUNNING)).length;

  it.skipIf(isMissing)('is cancelled on the server, and its connection is free again', async () => {
    const gone = new AbortController();
    const asked = untilAborted(db, gone.signal).query(LONG);
    const refused = expect(asked).rejects.toThrow('nobody waits');
    await vi.waitFor(async () => expect(await running()).toBe(1), SOON);
    gone.abort(new Error('nobody waits'));
    await refused;
    await vi.waitFor(async () => expect(await running()).toBe(0), SOON);
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  it.skipIf(isMissing)('is cancelled inside a transaction, which rolls back', async () => {
    const gone = new AbortController();
    await db.query('create table if not exists kept (n int)');
    const asked = db.transaction(
      async (tx) => {
        await tx.query('insert into kept values (1)');
        return tx.query(LONG);
      },
      { projectId: '', signal: gone.signal },
    );
    const refused = expect(asked).rejects.toThrow('nobody waits');
    await vi.waitFor(async () => expect(await running()).toBe(1), SOON);
    gone.abort(new Error('nobody waits'));
    await refused;
    await vi.waitFor(async () => expect(await running()).toBe(0), SOON);
    expect(await db.query('select n from kept')).toEqual([]);
  });

  it.skipIf(isMissing)(
    'leaves no open transaction when it is abandoned before its connection is open',
    async () => {
      await db.close();
      db = openPostgres(url, { connections: 1, keepsSession: kind !== 'a pooler' });
      opened[0] = db;
      const gone = new AbortController();
      const asked = db.transaction((tx) => tx.query('select 1'), { projectId: '', signal: gone.signal });
      const refused = expect(asked).rejects.toThrow('nobody waits');
      gone.abort(new Error('nobody waits'));
      await refused;
      await db.query('create table if not exists written (n int)');
      await db.query('insert into written values (1)');
      expect(await watcher.query('select n from written')).toEqual([{ n: 1 }]);
    },
  );

  it.skipIf(isMissing)('rolls back its transaction; no later statement of it runs', async () => {
    await db.query('create table if not exists kept (n int)');
    const gone = new AbortController();
    const asked = db.transaction(
      async (tx) => {
        await tx.query('insert into kept values (2)');
        gone.abort(new Error('nobody waits'));
        return 'done';
      },
      { projectId: '', signal: gone.signal },
    );
    await expect(asked).rejects.toThrow('nobody waits');
    const late = new AbortController();
    const sent = db.transaction(
      async (tx) => {
        await tx.query('insert into kept values (3)');
        late.abort(new Error('left'));
        return tx.query('create table late (n int)');
      },
      { projectId: '', signal: late.signal },
    );
    await expect(sent).rejects.toThrow('left');
    expect(await db.query('select n from kept')).toEqual([]);
    expect(await watcher.query("select from pg_class where relname = 'late'")).toEqual([]);
  });

  // PgBouncer can give the next statement another connection.
  if (kind !== 'a pooler')
    it('keeps its connection if it ends soon', async () => {
      const pidOf = async () => (await db.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]?.pid;
      const pid = await pidOf();
      // No cancel request is sent, whatever the speed of this machine.
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const gone = new AbortController();
      const short = db.query<{ slept: string }>("select 'yes' as slept from pg_sleep(0.1)", [], gone.signal);
      await new Promise((resolve) => setImmediate(resolve));
      gone.abort(new Error('nobody waits'));
      // The rows show that the statement had begun.
      expect(await short).toEqual([{ slept: 'yes' }]);
      const left = new AbortController();
      const inTransaction = db.transaction(
        async (tx) => {
          await tx.query('create table short (n int)');
          const slept = tx.query('select pg_sleep(0.02)');
          left.abort(new Error('left'));
          return slept;
        },
        { projectId: '', signal: left.signal },
      );
      await expect(inTransaction).rejects.toThrow('left');
      expect(await pidOf()).toBe(pid);
      expect(await watcher.query("select from pg_class where relname = 'short'")).toEqual([]);
    });

  it.skipIf(isMissing)('does not start if it was still waiting for a connection', async () => {
    const first = new AbortController();
    const second = new AbortController();
    const under = expect(db.query(LONG, [], first.signal)).rejects.toThrow();
    await vi.waitFor(async () => expect(await running()).toBe(1), SOON);
    const waiting = expect(db.query('create table never (n int)', [], second.signal)).rejects.toThrow('left');
    second.abort(new Error('left'));
    first.abort();
    await Promise.all([under, waiting]);
    expect(await watcher.query("select from pg_class where relname = 'never'")).toEqual([]);
  });
});
