import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { change } from '../../src/management/change.js';
import { updateOrg } from '../../src/management/change-org.js';
import { listPublications, revokePublication } from '../../src/management/publish-content.js';
import { listOrgs } from '../../src/management/read-org.js';
import { readProjectUsage } from '../../src/management/read-usage.js';
import { type Database, type Tx, toTx } from '../../src/platform/db/database.js';
import { openPostgres } from '../../src/platform/db/postgres.js';
import { createFairLimit, createGroupedLimit } from '../../src/platform/work/limit-concurrency.js';
import { jsonPost, type Service, startService } from '../support/service.js';

const NEEDS = {
  staticPrincipals: new Map(),
  forgetRemembered: () => {},
  mayReach: () => true,
  pinsByDefault: false,
  limitConcurrency: createGroupedLimit({ all: { atOnce: 1 }, ofGroup: { atOnce: 1, waiting: 1 } }),
  limitLists: createGroupedLimit({ all: { atOnce: 1 }, ofGroup: { atOnce: 1 } }),
  limitReports: createGroupedLimit({ all: { atOnce: 1 }, ofGroup: { atOnce: 1 } }),
  sealer: undefined,
  webhooks: {
    startFeed: async () => {},
    endFeeds: async () => {},
    readMissed: async () => new Map(),
    listDeliveries: async () => [],
    hasFullBacklog: async () => false,
    ping: async () => {},
    mayPost: () => true,
  },
  limits: {
    ...{ MAX_USER_ORGS: 10, MAX_ORG_PROJECTS: 100, MAX_ORG_MEMBERS: 1_000 },
    ...{ MAX_ORG_INVITATIONS: 1_000, MAX_PROJECT_PUBLICATIONS: 1_000 },
  },
  publicUrl: undefined,
  totals: {
    read: async () => ({ requestsThisMonth: 0, storedBytes: 0 }),
    add: () => {},
    reserve: () => undefined,
    countRecords: async () => 0,
    write: async () => {},
  },
};

describe('changes of one organisation, on PostgreSQL', () => {
  let service: Service;
  let elsewhere: Database;

  const ask = async (userId: string, path: string, init: { method?: string; body?: unknown } = {}) => {
    const answer = await service.manage(userId, path, init);
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  };

  beforeAll(async () => {
    service = await startService('PostgreSQL');
    const { store } = service.config;
    if (store.kind !== 'postgresql') throw new Error('not on PostgreSQL');
    elsewhere = openPostgres(store.url);
    await ask('ann', '/orgs', { body: { name: 'Daily Planet', slug: 'planet' } });
  });
  afterAll(async () => {
    await elsewhere.close();
    await service.stop();
  });

  const untilWaiting = (count: number) =>
    expect
      .poll(
        async () => {
          const [row] = await elsewhere.query<{ count: number }>(
            `select count(*)::int as count from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock'`,
          );
          return row?.count ?? 0;
        },
        { timeout: 10_000 },
      )
      .toBeGreaterThanOrEqual(count);

  /** Another node locks the organisation and makes `change` meanwhile. */
  async function behind<T>(change: (tx: Tx) => Promise<unknown>, asked: () => Promise<T>): Promise<T> {
    const { answer } = await elsewhere.transaction(async (tx) => {
      await tx.query("select from control.org where slug = 'planet' for update");
      const waiting = asked();
      await untilWaiting(1);
      await change(tx);
      return { answer: waiting };
    });
    return answer;
  }

  it.each([
    ['removed', "delete from control.member where account_id = 'bob'", 404],
    ['demoted', "update control.member set role = 'viewer' where account_id = 'bob'", 403],
  ])('a member who is %s while their change waits cannot make this change', async (_, sql, status) => {
    await ask('ann', '/orgs/planet/members/bob', { method: 'DELETE' });
    await ask('ann', '/orgs/planet/members', { body: { userId: 'bob', role: 'admin' } });
    const rename = () => ask('bob', '/orgs/planet', { method: 'PUT', body: { name: 'Bob was here' } });
    expect((await behind((tx) => tx.query(sql), rename)).status).toBe(status);
    expect((await ask('ann', '/orgs/planet')).body.name).toBe('Daily Planet');
  });

  it('a change that waits for a stalled node gets 503, and reads continue', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const held = elsewhere.transaction(async (tx) => {
      await tx.query("select from control.org where slug = 'planet' for update");
      await released;
    });
    const rename = () => ask('ann', '/orgs/planet', { method: 'PUT', body: { name: 'Daily Planet' } });
    const first = rename();
    const others = Array.from({ length: 11 }, rename);
    await untilWaiting(1);
    const startedAt = performance.now();
    expect((await ask('ann', '/orgs/planet')).status).toBe(200);
    expect((await service.send('/v1/entities')).status).toBe(200);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    const { status, body } = await first;
    expect([status, body.error]).toMatchObject([
      503,
      { code: 'Unavailable', recovery: expect.stringContaining('again') },
    ]);
    release();
    await held;
    expect((await Promise.all(others)).map((answer) => answer.status)).toContain(200);
  });

  it('changes of one organisation by many users leave turns for other organisations and projects', async () => {
    await ask('ivy', '/orgs', { body: { name: 'Other', slug: 'other' } });
    const users = ['ann', 'bea', 'cy'];
    for (const userId of users.slice(1))
      await ask('ann', '/orgs/planet/members', { body: { userId, role: 'admin' } });
    const { cid } = await (await service.upload('published')).json();
    const rename = { method: 'PUT', body: { name: 'Daily Planet' } };
    const ended: number[] = [];
    const renamePlanet = async (userId: string) => {
      ended.push((await ask(userId, '/orgs/planet', rename)).status);
    };
    const { all } = await elsewhere.transaction(async (tx) => {
      await tx.query("select from control.org where slug = 'planet' for update");
      const all = Promise.all(
        users.flatMap((userId) => Array.from({ length: 4 }, () => renamePlanet(userId))),
      );
      await untilWaiting(1);
      expect((await ask('ivy', '/orgs/other', rename)).status).toBe(200);
      expect((await service.send('/v1/publications', jsonPost({ cid }))).status).toBe(201);
      expect(ended).toEqual([]);
      return { all };
    });
    await all;
    expect(ended).toEqual(Array(12).fill(200));
  });

  it('changes, lists and reports take turns by owner: a user and the projects of this user are one owner', async () => {
    const { id } = (await ask('ann', '/projects', { body: { orgSlug: 'planet', name: 'Turns' } })).body;
    const turns: unknown[] = [];
    const note = (turn: unknown) => {
      turns.push(turn);
      return Promise.reject(new Error('noted'));
    };
    const deps = {
      ...NEEDS,
      control: elsewhere,
      limitConcurrency: note,
      limitLists: note,
      limitReports: note,
    };
    const by = (userId: string) => ({ userId, address: null, requestId: null, isNew: false });
    const { signal } = new AbortController();
    for (const run of [
      () => listOrgs(deps, by('ann')),
      () => listPublications(deps, id, { limit: 1, signal }),
      () => readProjectUsage(deps, by('ann'), id),
      () => revokePublication({ deps, actor: by('a key') }, id, 'none'),
      () => updateOrg({ deps, actor: by('ann') }, 'planet', {}),
    ])
      await expect(run()).rejects.toThrow('noted');
    const group = 'user ann';
    expect(turns).toEqual([
      { group, caller: 'ann' },
      { group, part: id, caller: id },
      { group, part: id, caller: 'ann' },
      { group, part: id, caller: 'a key' },
      { group, part: expect.any(String), caller: 'ann' },
    ]);
  });

  it('the transaction of a change may be idle for ten seconds', async () => {
    const shown = await change(
      {
        deps: { ...NEEDS, control: elsewhere },
        actor: { userId: 'ann', address: null, requestId: null, isNew: false },
      },
      async (tx) => {
        const [row] = await tx.query('show idle_in_transaction_session_timeout');
        return { answer: row, action: 'test', target: 'test', orgId: null };
      },
    );
    expect(shown).toEqual({ idle_in_transaction_session_timeout: '10s' });
  });

  it('a project that is deleted while a key is created for it gets no key', async () => {
    const { id } = (await ask('ann', '/projects', { body: { orgSlug: 'planet', name: 'Brief' } })).body;
    const made = await behind(
      (tx) => tx.query('update control.project set deleted_at = now() where id = $1', [id]),
      () => ask('ann', '/api-keys', { body: { projectId: id, name: 'key' } }),
    );
    expect(made.status).toBe(404);
  });
});

it('a caller gets an immediate error when too many changes wait', async () => {
  const limitConcurrency = createFairLimit({ atOnce: 1, waiting: 1 });
  const order: number[] = [];
  const turn = (name: number) =>
    limitConcurrency('another user', async () => {
      order.push(name);
      if (name === 1) throw new Error('failed');
    });
  const [first, second, third] = [turn(1), turn(2), turn(3)];
  await expect(third).rejects.toMatchObject({ code: 'Unavailable' });
  await expect(first).rejects.toThrow('failed');
  await second;
  await turn(4);
  expect(order).toEqual([1, 2, 4]);
});

describe('a change whose caller leaves', () => {
  const leaving = () => {
    const left = new AbortController();
    const actor = { userId: 'ann', address: null, requestId: null, isNew: false, signal: left.signal };
    return { actor, leave: () => left.abort(new Error('The caller left')) };
  };
  const done = async () => ({ answer: 'done', action: undefined }) as const;
  /** Transactions begin after `wait`. */
  const countingOn = (wait: () => Promise<void> | void) => {
    const counts = { transactions: 0, statements: 0 };
    const exec = async () => {
      counts.statements += 1;
    };
    const control: Database = {
      engine: 'postgresql',
      query: async () => [],
      async transaction(run) {
        counts.transactions += 1;
        await wait();
        return run(toTx({ query: async () => [], exec }));
      },
      close: async () => {},
    };
    return { control, counts };
  };

  it('does not begin if it waits for other changes', async () => {
    const limitConcurrency = createGroupedLimit({ all: { atOnce: 1 }, ofGroup: { atOnce: 1 } });
    const { control, counts } = countingOn(() => {});
    const { actor, leave } = leaving();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const busy = limitConcurrency({ group: 'user ann', caller: 'ann' }, () => released);
    const waiting = change({ deps: { ...NEEDS, limitConcurrency, control }, actor }, done);
    const gone = expect(waiting).rejects.toThrow('The caller left');
    leave();
    release();
    await Promise.all([gone, busy]);
    expect(counts).toEqual({ transactions: 0, statements: 0 });
  });

  it('runs no statement if it waits for a connection', async () => {
    const { actor, leave } = leaving();
    const { control, counts } = countingOn(leave);
    const waiting = change({ deps: { ...NEEDS, control }, actor }, done);
    await expect(waiting).rejects.toThrow('The caller left');
    expect(counts).toEqual({ transactions: 1, statements: 0 });
  });
});
