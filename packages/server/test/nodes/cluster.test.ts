import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import type { DistributeOptions } from '../../src/platform/db/citus/copy-to-shards.js';
import { describeCluster } from '../../src/platform/db/citus/describe-cluster.js';
import { distribute } from '../../src/platform/db/citus/distribute.js';
import type { Database } from '../../src/platform/db/database.js';
import { openPostgres } from '../../src/platform/db/postgres.js';
import { isOnCluster, joinNodes, listNodeUrls } from '../support/citus-databases.js';
import { createLedger, TENANTS } from '../support/ledger.js';
import { createDatabase, createEmptyDatabase, runSql } from '../support/postgres-databases.js';
import { jsonPost, OTHER_KEY, type Service, startService } from '../support/service.js';

/** A ledger records only in the first two projects. */
const THIRD = { authorization: 'Bearer test-key-of-project-three' };
const OTHER = { authorization: `Bearer ${OTHER_KEY}` };

async function recordChain(service: Service, headers = {}): Promise<string> {
  const made = await service.upload(`a text, written at ${performance.now()}`, undefined, headers);
  expect(made.status).toBe(201);
  const { entityId, cid } = await made.json();
  const outputCids = [`sha256:${cid.length.toString(16).padStart(64, '0')}`];
  const action = { type: 'transform', performedBy: entityId, inputCids: [cid], outputCids };
  expect((await service.send('/v1/action', jsonPost(action, headers))).status).toBe(201);
  return outputCids[0] ?? '';
}

async function readAll(service: Service, cid: string, headers = {}): Promise<unknown[]> {
  const paths = ['/v1/actions', '/v1/entities', '/v1/attributions', '/v1/resources', `/v1/bundle/${cid}`];
  return Promise.all(
    paths.map(async (path) => {
      const answer = await service.send(path, { headers });
      expect([path, answer.status]).toEqual([path, 200]);
      return answer.json();
    }),
  );
}

interface Statement {
  text: string;
  values: readonly unknown[];
}

async function capture(run: () => Promise<unknown>): Promise<Statement[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await run();
    return query.mock.calls
      .map(([sent]) => sent as unknown as Partial<Statement>)
      .flatMap(({ text, values = [] }) => (text?.includes('provenance.') ? [{ text, values }] : []));
  } finally {
    query.mockRestore();
  }
}

/** A task reads the shards of one range of projects. */
async function countShards(url: string, { text, values }: Statement): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(`explain (format json) ${text}`, [...values]);
    const counts = [...JSON.stringify(rows).matchAll(/"Task Count":(\d+)/g)];
    return counts.reduce((sum, [, count]) => sum + Number(count), 0);
  } finally {
    await client.end();
  }
}

async function withDatabase<T>(url: string, run: (db: Database) => Promise<T>): Promise<T> {
  const db = openPostgres(url, { keepsSession: false, statementMs: 0 });
  return run(db).finally(() => db.close());
}
const distributeNow = (url: string, options: DistributeOptions = {}) =>
  withDatabase(url, (db) => distribute(db, options));

describe.skipIf(isOnCluster())('a server without Citus', () => {
  it('cannot distribute a database, and the error names the remedy', async () => {
    const url = await createDatabase(inject('postgresUrl'));
    await withDatabase(url, async (db) => {
      await expect(distribute(db)).rejects.toThrow(
        'Run `create extension citus` in this database on each node',
      );
      expect(await describeCluster(db)).toBeUndefined();
    });
  });
});

describe.runIf(isOnCluster())('a Citus cluster', () => {
  let url: string;
  let service: Service;
  let cid: string;
  let known: unknown[];

  const start = () => startService('PostgreSQL', { environment: { DATABASE_URL: url } });
  const describeNow = () => withDatabase(url, describeCluster);

  beforeAll(async () => {
    url = await createEmptyDatabase(inject('postgresUrl'));
    await joinNodes(url);
    service = await start();
    cid = await recordChain(service);
    known = await readAll(service, cid);
  });
  afterAll(() => service.stop());

  it('distributes the records of an existing database, and the answers stay the same', async () => {
    expect(await describeNow()).toMatchObject({
      isFit: true,
      says: expect.stringContaining('db distribute'),
    });
    expect((await distributeNow(url)).tables.length).toBeGreaterThan(35);
    expect(await readAll(service, cid)).toEqual(known);
    expect(await describeNow()).toMatchObject({
      isFit: true,
      says: expect.stringContaining('each node has'),
    });
  });

  it('is unchanged when it is distributed again', async () => {
    expect(await distributeNow(url)).toEqual({ tables: [], pausedMs: 0 });
  });

  it('stores the records of a project on one node, and none on the coordinator', async () => {
    await recordChain(service);
    await recordChain(service, OTHER);
    for (const name of ['one', 'two']) {
      const counts = await runSql(
        url,
        `select result from run_command_on_shards('provenance.action',
           $$select count(*) from %s where project_id = '${namedProjectId(name)}'$$) where result <> '0'`,
      );
      expect(counts).toHaveLength(1);
    }
    const ofCoordinator = await runSql(
      url,
      `select from pg_dist_placement p join pg_dist_shard s using (shardid)
       where p.groupid = 0 and s.logicalrelid = 'provenance.action'::regclass`,
    );
    expect(ofCoordinator).toEqual([]);
  });

  it('cancels a statement on the node that runs it when the caller leaves', async () => {
    const read = service.context.databases.provenance.query(
      'select pg_sleep(60) from generate_series(1, 2) as slept where provenance.knows($1, $2) is not null',
      [namedProjectId('one'), cid],
      AbortSignal.timeout(1_000),
    );
    await expect(read).rejects.toThrow('timeout');
    const running = async () => {
      const counts = await Promise.all(
        (await listNodeUrls(url)).map((node) =>
          runSql(
            node,
            `select from pg_stat_activity where state = 'active' and query like '%run_on_shard%'
             and datname = current_database() and pid <> pg_backend_pid()`,
          ),
        ),
      );
      return counts.flat().length;
    };
    await expect.poll(running).toBe(0);
    await readAll(service, cid);
  });

  it('continues after a column was added, and distributes a new table at the next start', async () => {
    await readAll(service, cid);
    await runSql(url, 'alter table provenance.action add column scratch int');
    await recordChain(service);
    await readAll(service, cid);
    await runSql(url, 'create table provenance.scratch (project_id uuid primary key)');
    expect(await describeNow()).toMatchObject({ isFit: false, says: expect.stringContaining('scratch') });
    await service.stop();
    service = await start();
    expect(await describeNow()).toMatchObject({ isFit: true });
    await readAll(service, cid);
  });

  it('gets its functions again from `db distribute` after a shard moved to another node', async () => {
    const [shard] = await runSql(
      url,
      `select s.shardid::text as id, n.nodename as from_name, n.nodeport::text as from_port, o.nodename as name, o.nodeport::text as port
       from pg_dist_shard s join pg_dist_placement p using (shardid) join pg_dist_node n using (groupid)
         join pg_dist_node o on o.groupid <> n.groupid and o.shouldhaveshards
       where s.shardid = get_shard_id_for_distribution_column('provenance.action', $1::uuid) limit 1`,
      [namedProjectId('one')],
    );
    await service.stop();
    await runSql(
      url,
      `select citus_move_shard_placement(${shard?.id}, '${shard?.from_name}', ${shard?.from_port}, '${shard?.name}', ${shard?.port}, 'block_writes')`,
    );
    expect(await describeNow()).toMatchObject({ isFit: false, says: expect.stringContaining('functions') });
    expect(await distributeNow(url)).toEqual({ tables: [], pausedMs: 0 });
    expect(await describeNow()).toMatchObject({ isFit: true });
    service = await start();
    await readAll(service, cid);
    await recordChain(service);
  });
});

/** Background jobs and webhook feeds read the rows of all projects. */
const OF_ALL_PROJECTS = /provenance\.(?:outbox|webhook_feed)\b/;

describe.runIf(isOnCluster())('a request in a distributed project', () => {
  it('asks one shard with each statement', async () => {
    const url = await createDatabase(inject('postgresUrl'));
    const service = await startService('PostgreSQL', { environment: { DATABASE_URL: url } });
    const cid = await recordChain(service);
    const form = new FormData();
    form.set('file', new Blob([Array.from({ length: 100 }, (_, n) => `sentence ${n}.`).join(' ')]));
    const statements = await capture(async () => {
      const [{ actions }] = (await readAll(service, cid)) as [{ actions: { id: string }[] }];
      const found = [
        await service.send(`/v1/action/${actions[0]?.id}`),
        await service.send(`/v1/resource/${cid}`),
        await service.send(`/v1/bundle/${cid}?proof=true`),
        await service.send(`/v1/distribution/${cid}`),
        await service.send('/v1/c2pa/matches/byBinding?alg=com.example.none&value=AAAA'),
        await service.send('/v1/search/file', { method: 'POST', body: form }),
      ];
      for (const answer of found) await answer.arrayBuffer();
      expect(found.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    });
    await service.stop();
    const ofRequests = statements.filter(({ text }) => !OF_ALL_PROJECTS.test(text));
    expect(ofRequests.length).toBeGreaterThan(20);
    for (const statement of ofRequests) {
      const shown = `${statement.text} ${statement.values[2] ?? ''}`;
      expect(await countShards(url, statement), shown).toBe(1);
    }
  });
});

/** Repeats refused requests, and measures the time until success. */
function recordSteadily(service: Service) {
  const stopping = new AbortController();
  const seen = { longestMs: 0, recorded: 0, refusals: new Set<string>() };
  const recordOne = async () => {
    const beganAt = performance.now();
    for (;;) {
      const entity = { id: `steady:${seen.recorded}`, role: 'human', name: 'Ann' };
      const answer = await service.send('/v1/entity', jsonPost(entity, THIRD));
      await answer.arrayBuffer();
      if (answer.status === 201) break;
      if (stopping.signal.aborted) return;
      seen.refusals.add(
        `${answer.status} ${answer.headers.has('retry-after') ? 'with' : 'without'} Retry-After`,
      );
      await sleep(50);
    }
    seen.recorded++;
    seen.longestMs = Math.max(seen.longestMs, performance.now() - beganAt);
  };
  const ended = (async () => {
    while (!stopping.signal.aborted) await recordOne();
  })();
  return {
    async stop() {
      stopping.abort();
      await ended;
      return seen;
    },
  };
}

describe.runIf(isOnCluster())('a store that is distributed while two nodes of the service run', () => {
  const nodes: Service[] = [];
  const API_KEYS = `${TENANTS.API_KEYS},test-key-of-project-three:three`;
  const ALIASES = 'select count(*)::int, sum(hashtext(t::text)) as sum from provenance.content_alias t';
  let url: string;

  beforeAll(async () => {
    url = await createEmptyDatabase(inject('postgresUrl'));
    await joinNodes(url);
    for (const _ of ['one', 'two'])
      nodes.push(
        await startService('PostgreSQL', { environment: { DATABASE_URL: url, ...TENANTS, API_KEYS } }),
      );
  });
  afterAll(() => Promise.all(nodes.map((node) => node.stop())));

  it('is unchanged after an interruption, and continues to record', async () => {
    const [node] = nodes as [Service];
    const cid = await recordChain(node, THIRD);
    const known = await readAll(node, cid, THIRD);
    const tables = () =>
      runSql(
        url,
        `select oid from pg_class where relkind = 'r' and relnamespace = 'provenance'::regnamespace order by oid`,
      );
    const before = await tables();
    const stopping = new AbortController();
    const advance = () => stopping.abort(new Error('interrupted'));
    await expect(distributeNow(url, { advance, signal: stopping.signal })).rejects.toThrow('interrupted');
    expect(await tables()).toEqual(before);
    expect(await runSql(url, `select tgname from pg_trigger where tgname = 'note_for_shards'`)).toEqual([]);
    expect(await runSql(url, `select from pg_namespace where nspname = 'provenance_next'`)).toEqual([]);
    expect(await readAll(node, cid, THIRD)).toEqual(known);
    // This transaction has read a table and stays open. So `distribute` can neither replace this table nor remove its
    // trigger from the table. The next run removes the trigger and the copies of the tables.
    await withDatabase(url, (db) =>
      db.transaction(async (tx) => {
        const read = async () => void (await tx.query('select count(*) from provenance.action'));
        await expect(distributeNow(url, { advance: read, attempts: 3 })).rejects.toThrow('note_for_shards');
      }),
    );
    expect(await tables()).toEqual(before);
    await recordChain(node, THIRD);
  });

  it('keeps every acknowledged recording, and refuses requests only with 503 and Retry-After', async () => {
    const [one, two] = nodes as [Service, Service];
    const project = namedProjectId('one');
    await runSql(
      url,
      `insert into provenance.content_alias (project_id, alias, cid)
      select '${project}', 'alias ' || n, 'cid ' || n from generate_series(1, 500) n`,
    );
    const steps = [
      `update provenance.content_alias set cid = 'changed' where alias in ('alias 1', 'alias 499')`,
      `delete from provenance.content_alias where alias in ('alias 2', 'alias 498')`,
      `update provenance.content_alias set alias = 'moved' where alias = 'alias 497'`,
      `insert into provenance.content_alias (project_id, alias, cid) values ('${project}', 'new', 'new')`,
    ];
    const ledger = createLedger();
    const load = ledger.load(one.base, 2);
    const steady = recordSteadily(two);
    await ledger.untilAcknowledged(6);
    let expected: unknown;
    const advance = async () => {
      if (steps.length === 0) return;
      for (const sql of steps.splice(0)) await runSql(url, sql);
      expected = await runSql(url, ALIASES);
    };
    const { tables, pausedMs } = await distributeNow(url, { pagesAtOnce: 4, advance });
    await ledger.untilAcknowledged(6);
    await load.stop();
    const { longestMs, recorded, refusals } = await steady.stop();
    process.stdout.write(
      `distributed in a pause of ${Math.round(pausedMs)} ms; the longest wait was ${Math.round(longestMs)} ms\n`,
    );
    expect(tables).toContain('action');
    expect([...ledger.statuses.keys()].filter((status) => status !== 201 && status !== 503)).toEqual([]);
    expect([...refusals].filter((refusal) => refusal !== '503 with Retry-After')).toEqual([]);
    await ledger.check(one.base);
    const entities = await runSql(
      url,
      `select count(*)::int as count from provenance.entity where id like 'steady:%'`,
    );
    expect(entities).toEqual([{ count: recorded }]);
    expect(await runSql(url, ALIASES)).toEqual(expected);
    expect(await withDatabase(url, describeCluster)).toMatchObject({
      isFit: true,
      says: expect.stringContaining('each node has'),
    });
  });
});
