import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createApiKeyText } from '../../src/access/api-key.js';
import { type Authenticate, createAuthenticate, createLookForKey } from '../../src/access/authenticate.js';
import { createNamedProjectKey } from '../../src/access/create-key.js';
import { createKeyCache, type KeyCache } from '../../src/access/key-cache.js';
import { readPrincipal } from '../../src/control/api-keys.sql.js';
import {
  announceChange,
  CHANGE_CHANNEL,
  parseChangeNotice,
  readChanges,
} from '../../src/control/changes.sql.js';
import { type WatchOptions, watchChanges } from '../../src/control/watch-changes.js';
import type { Database } from '../../src/platform/db/database.js';
import { listen } from '../../src/platform/db/listen.js';
import { type Databases, openDatabases } from '../../src/platform/db/open-databases.js';
import { createMigratedDatabase } from '../support/postgres.js';
import { runSql } from '../support/postgres-databases.js';

interface Node {
  authenticate: Authenticate;
  keys: KeyCache;
  statements(): number;
  lookUps(): number;
}

function createNode(control: Database, options: Partial<WatchOptions> = {}): Node {
  let [asked, lookUps] = [0, 0];
  const counted = {
    ...control,
    query: ((text: string, parameters?: unknown[]) => {
      asked++;
      if (text.includes('find_live_key')) lookUps++;
      return control.query(text, parameters);
    }) as Database['query'],
  };
  const watch = watchChanges(counted, (projectIds) => keys.clear(projectIds), options);
  const keys = createKeyCache(createLookForKey(counted, new Map()), watch);
  return {
    authenticate: createAuthenticate(new Map(), keys),
    keys,
    statements: () => asked,
    lookUps: () => lookUps,
  };
}

/** The node polls again at each request. */
const POLLED = { freshMs: 0, staleMs: 300 };

const make = (control: Database, projectName = 'photos') =>
  createNamedProjectKey(control, { projectName, name: 'test', permission: 'write' });

const revoke = (control: Database, id: string) =>
  control.transaction(async (tx) => {
    await tx.query('update control.api_key set revoked_at = now() where id = $1', [id]);
    await announceChange(tx);
  });

describe('keys of the database', () => {
  let databases: Databases;
  beforeAll(async () => {
    databases = await openDatabases({ kind: 'memory' });
  });
  afterAll(() => databases.close());

  it('give access to their project with their permission', async () => {
    const { key, row } = await make(databases.control);
    const { authenticate } = createNode(databases.control);
    const principal = {
      keyId: row.id,
      projectId: row.projectId,
      owner: null,
      permission: 'write',
      entityId: null,
      aiTrainingOptOut: false,
    };
    expect(await authenticate(`Bearer ${key}`)).toEqual(principal);
    expect(await authenticate(`bearer  ${key}`)).toEqual(principal);
  });

  it('give no access after they expire, even if they are cached', async () => {
    const { key, row } = await make(databases.control);
    await databases.control.query(
      "update control.api_key set expires_at = now() + interval '300 ms' where id = $1",
      [row.id],
    );
    const { authenticate } = createNode(databases.control);
    await authenticate(`Bearer ${key}`);
    await sleep(400);
    await expect(authenticate(`Bearer ${key}`)).rejects.toMatchObject({ code: 'Unauthorized', status: 401 });
  });

  it('give no access after they are revoked and this node clears its cache', async () => {
    const { key, row } = await make(databases.control);
    const { authenticate, keys } = createNode(databases.control);
    await authenticate(`Bearer ${key}`);
    await revoke(databases.control, row.id);
    keys.clear();
    await expect(authenticate(`Bearer ${key}`)).rejects.toMatchObject({ code: 'Unauthorized' });
  });

  it.each(['all projects', 'one project'])(
    'are not cached if a revocation during their look-up clears the cache of %s',
    async (cleared) => {
      const { key, row } = await make(databases.control);
      const watch = watchChanges(databases.control, () => {});
      const keys = createKeyCache(async (digest) => {
        const found = await readPrincipal(databases.control, digest);
        await revoke(databases.control, row.id);
        keys.clear(cleared === 'one project' ? [row.projectId] : undefined);
        return found;
      }, watch);
      const authenticate = createAuthenticate(new Map(), keys);
      await authenticate(`Bearer ${key}`);
      await expect(authenticate(`Bearer ${key}`)).rejects.toMatchObject({ code: 'Unauthorized' });
    },
  );

  it('are looked up once for 50 requests', async () => {
    const { key } = await make(databases.control);
    const { authenticate, statements } = createNode(databases.control);
    for (let count = 0; count < 50; count++) await authenticate(`Bearer ${key}`);
    expect(statements()).toBe(1);
  });

  it('are found among many random keys, which cause few statements', async () => {
    const { key, row } = await make(databases.control);
    const { authenticate, statements } = createNode(databases.control);
    const tryRandom = () => authenticate(`Bearer ${createApiKeyText()}`).catch(({ code }) => code);
    const random = Array.from({ length: 1_200 }, tryRandom);
    const principal = await authenticate(`Bearer ${key}`);
    expect(principal).toMatchObject({ keyId: row.id, projectId: row.projectId });
    expect(new Set(await Promise.all(random))).toEqual(new Set(['Unauthorized']));
    // Four statements look up one key each. Two more look up all other keys.
    expect(statements()).toBe(6);
    for (let round = 0; round < 2; round++) await Promise.all(Array.from({ length: 200 }, tryRandom));
    for (let count = 0; count < 50; count++) await authenticate(`Bearer ${key}`);
    expect(statements()).toBeLessThanOrEqual(6 + 2 * 5);
  });

  it('are not queried for a text that cannot be a key', async () => {
    const { authenticate, statements } = createNode(databases.control);
    const refused = expect(authenticate(`Bearer pk_live_${'x'.repeat(46)}`)).rejects;
    await refused.toMatchObject({ code: 'Unauthorized' });
    expect(statements()).toBe(0);
  });
});

describe('cached keys that another node can change, on PostgreSQL', () => {
  let url: string;
  let databases: Databases;
  beforeAll(async () => {
    url = await createMigratedDatabase(inject('postgresUrl'));
    databases = await openDatabases({ kind: 'postgresql', url, directUrl: undefined });
  });
  afterAll(() => databases.close());

  it('belong to one project if two nodes create the project at the same time', async () => {
    // PostgreSQL writes the indexes of a row in the order in which they were created. The slow index is older than the
    // recreated primary key. So while both nodes write the slow index, the primary key contains the id of neither.
    await runSql(
      url,
      `create function public.slow(uuid) returns uuid language plpgsql immutable
       as $$ begin perform pg_sleep(0.3); return $1; end $$;
       create index written_first on control.project (public.slow(id));
       alter table control.project drop constraint project_pkey cascade, add primary key (id);`,
    );
    const rows = await Promise.all(Array.from({ length: 2 }, () => make(databases.control, 'created twice')));
    await runSql(url, 'drop index control.written_first');
    expect(new Set(rows.map(({ row }) => row.projectId)).size).toBe(1);
  });

  it('give no access one second after their revocation, even if the node only polls', async () => {
    const { key, row } = await make(databases.control);
    const { authenticate } = createNode(databases.control);
    await authenticate(`Bearer ${key}`);
    await authenticate(`Bearer ${key}`);
    await revoke(databases.control, row.id);
    await sleep(1_000);
    await expect(authenticate(`Bearer ${key}`)).rejects.toMatchObject({ code: 'Unauthorized' });
  });

  it('give no access after the notification of their revocation, even between two polls', async () => {
    const { key, row } = await make(databases.control);
    const { authenticate, keys } = createNode(databases.control, { freshMs: 1e9, staleMs: 2e9 });
    let heard = 0;
    const listener = listen(
      { url, channel: CHANGE_CHANNEL },
      (payload) => {
        keys.clear(parseChangeNotice(payload));
        heard++;
      },
      () => {},
    );
    await expect.poll(() => heard).toBe(1);
    for (let count = 0; count < 3; count++) await authenticate(`Bearer ${key}`);
    await revoke(databases.control, row.id);
    await expect.poll(() => heard).toBe(2);
    await expect(authenticate(`Bearer ${key}`)).rejects.toMatchObject({ code: 'Unauthorized' });
    await listener.close();
  });

  it('are looked up again only if their project changed, with polling or notifications', async () => {
    const [changing, steady] = [await make(databases.control, 'changing'), await make(databases.control)];
    const polling = createNode(databases.control, POLLED);
    const listening = createNode(databases.control, { freshMs: 1e9, staleMs: 2e9 });
    let heard = 0;
    const listener = listen(
      { url, channel: CHANGE_CHANNEL },
      (payload) => {
        listening.keys.clear(parseChangeNotice(payload));
        heard++;
      },
      () => {},
    );
    await expect.poll(() => heard).toBe(1);
    const nodes = [polling, listening];
    const lookUpsOf = async (key: string) => {
      const before = nodes.map(({ lookUps }) => lookUps());
      for (const { authenticate } of nodes) await authenticate(`Bearer ${key}`);
      return nodes.map(({ lookUps }, place) => lookUps() - (before[place] ?? 0));
    };
    for (let count = 0; count < 3; count++) for (const { key } of [changing, steady]) await lookUpsOf(key);
    let [again, others] = [0, 0];
    for (let changes = 1; changes <= 8; changes++) {
      await databases.control.transaction((tx) => announceChange(tx, [changing.row.projectId]));
      await expect.poll(() => heard, { interval: 5 }).toBe(1 + changes);
      await sleep(POLLED.staleMs);
      others += (await lookUpsOf(steady.key)).reduce((sum, one) => sum + one);
      again += (await lookUpsOf(changing.key)).reduce((sum, one) => sum + one);
    }
    expect([again, others]).toEqual([16, 0]);
    await listener.close();
  });

  it('are looked up again after a change without a project, and after 101 changes elsewhere', async () => {
    const { key } = await make(databases.control);
    const { authenticate, lookUps } = createNode(databases.control, POLLED);
    const look = async () => {
      const before = lookUps();
      await sleep(POLLED.staleMs);
      await authenticate(`Bearer ${key}`);
      return lookUps() - before;
    };
    for (let count = 0; count < 3; count++) await look();
    expect(await look()).toBe(0);
    await databases.control.transaction((tx) => announceChange(tx));
    expect(await look()).toBe(1);
    expect(await look()).toBe(0);
    const others = Array.from({ length: 101 }, () => randomUUID());
    await databases.control.transaction((tx) => announceChange(tx, others));
    expect(await look()).toBe(1);
    for (const id of others) await databases.control.transaction((tx) => announceChange(tx, [id]));
    expect(await look()).toBe(1);
    const kept = await databases.control.query('select number from control.project_change');
    expect(kept.length).toBeLessThanOrEqual(100);
    expect(await readChanges(databases.control, 0)).toMatchObject({ projectIds: undefined });
  });

  it('cost at most three statements for 50 requests between two polls', async () => {
    const { key } = await make(databases.control);
    const { authenticate, statements } = createNode(databases.control, { freshMs: 1e9, staleMs: 2e9 });
    for (let count = 0; count < 50; count++) await authenticate(`Bearer ${key}`);
    expect(statements()).toBeLessThanOrEqual(3);
  });

  it('are looked up each time while a connection hangs, and cached again afterwards', async () => {
    const { key, row } = await make(databases.control);
    let silent = false;
    let lookUps = 0;
    const stuck = {
      ...databases.control,
      query: ((text: string, parameters?: unknown[]) => {
        if (text.includes('find_live_key')) lookUps++;
        return silent && text.includes('change_count')
          ? new Promise(() => {})
          : databases.control.query(text, parameters);
      }) as Database['query'],
    };
    const failures: unknown[] = [];
    const { authenticate } = createNode(stuck, {
      freshMs: 20,
      staleMs: 50,
      timeoutMs: 100,
      reportFailure: (error) => failures.push(error),
    });
    for (let count = 0; count < 3; count++) await authenticate(`Bearer ${key}`);
    expect(lookUps).toBeLessThan(3);
    silent = true;
    await sleep(60);
    await Promise.all(Array.from({ length: 20 }, () => authenticate(`Bearer ${key}`)));
    const before = performance.now();
    for (let count = 0; count < 20; count++) await authenticate(`Bearer ${key}`);
    expect(performance.now() - before).toBeLessThan(1_000);
    expect([lookUps, failures]).toEqual([expect.any(Number), [expect.any(Error)]]);
    // Concurrent look-ups share statements; the 20 look-ups one after the other have a statement each.
    expect(lookUps).toBeGreaterThanOrEqual(20 + 5);
    await revoke(databases.control, row.id);
    await expect(authenticate(`Bearer ${key}`)).rejects.toMatchObject({ code: 'Unauthorized' });
    silent = false;
    const other = await make(databases.control);
    await expect
      .poll(async () => {
        const asked = lookUps;
        await authenticate(`Bearer ${other.key}`);
        return lookUps - asked;
      })
      .toBe(0);
    expect(failures).toHaveLength(1);
  });

  it('are looked up again if the database cannot confirm that nothing changed', async () => {
    const { key } = await make(databases.control);
    let reachable = true;
    const fragile = {
      ...databases.control,
      query: ((text: string, parameters?: unknown[]) =>
        reachable
          ? databases.control.query(text, parameters)
          : Promise.reject(new Error('away'))) as Database['query'],
    };
    const { authenticate } = createNode(fragile, { freshMs: 0, staleMs: 0 });
    await authenticate(`Bearer ${key}`);
    reachable = false;
    await expect(authenticate(`Bearer ${key}`)).rejects.toThrow('away');
    reachable = true;
    expect(await authenticate(`Bearer ${key}`)).toMatchObject({ permission: 'write' });
  });
});
