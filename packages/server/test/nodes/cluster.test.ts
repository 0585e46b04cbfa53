import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { describeCluster } from '../../src/platform/db/citus/describe-cluster.js';
import { distribute } from '../../src/platform/db/citus/distribute.js';
import type { Database } from '../../src/platform/db/database.js';
import { openPostgres } from '../../src/platform/db/postgres.js';
import { isOnCluster, joinNodes, listNodeUrls } from '../support/citus-databases.js';
import { createDatabase, createEmptyDatabase, runSql } from '../support/postgres-databases.js';
import { jsonPost, OTHER_KEY, type Service, startService } from '../support/service.js';

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

/** The lists of the first project, and a history. */
async function readAll(service: Service, cid: string): Promise<unknown[]> {
  const paths = ['/v1/actions', '/v1/entities', '/v1/attributions', '/v1/resources', `/v1/bundle/${cid}`];
  return Promise.all(
    paths.map(async (path) => {
      const answer = await service.send(path);
      expect([path, answer.status]).toEqual([path, 200]);
      return answer.json();
    }),
  );
}

async function withDatabase<T>(url: string, run: (db: Database) => Promise<T>): Promise<T> {
  const db = openPostgres(url, { keepsSession: false });
  return run(db).finally(() => db.close());
}

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
    await service.stop();
    expect((await withDatabase(url, distribute)).length).toBeGreaterThan(35);
    service = await start();
    expect(await readAll(service, cid)).toEqual(known);
    expect(await describeNow()).toMatchObject({
      isFit: true,
      says: expect.stringContaining('each node has'),
    });
  });

  it('is unchanged when it is distributed again', async () => {
    expect(await withDatabase(url, distribute)).toEqual([]);
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
    expect(await withDatabase(url, distribute)).toEqual([]);
    expect(await describeNow()).toMatchObject({ isFit: true });
    service = await start();
    await readAll(service, cid);
    await recordChain(service);
  });
});
