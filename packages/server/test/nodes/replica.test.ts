import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { freePort } from '../support/free-port.js';
import { createDatabase, type PostgresServer, startPostgres } from '../support/postgres.js';
import { runSql } from '../support/postgres-databases.js';
import { runCli } from '../support/run-cli.js';
import { jsonPost, type Service, startService } from '../support/service.js';
import { startTcpGate } from '../support/tcp-gate.js';

const POLLING = { timeout: 60_000, interval: 100 };
const ANN = { id: 'ann', role: 'human', name: 'Ann' };

describe('two nodes on a PostgreSQL with a replica', () => {
  let primary: PostgresServer;
  let replica: PostgresServer;
  let writer: Service;
  let reader: Service;
  const directory = mkdtempSync(path.join(tmpdir(), 'colophon-replica-'));
  const startNode = (environment: Record<string, string>) =>
    startService('PostgreSQL', { environment: { DATA_DIR: directory, ...environment } });

  beforeAll(async () => {
    primary = await startPostgres({ fsync: true });
    const url = await createDatabase(primary, 'replica');
    replica = await startPostgres({ fsync: true, standbyOf: primary.url });
    writer = await startNode({ DATABASE_URL: url });
    reader = await startNode({ DATABASE_URL: url, DATABASE_REPLICA_URL: on(replica, url) });
    await writer.send('/v1/entity', jsonPost(ANN));
  });
  afterAll(async () => {
    await reader?.stop();
    await writer?.stop();
    await replica?.stop();
    await primary?.stop();
    rmSync(directory, { recursive: true });
  });
  beforeEach(() => untilReplicaIs('ok'));

  const readiness = async () => {
    const answer = await fetch(`${reader.base}/readyz`);
    return { status: answer.status, replica: (await answer.json()).checks.replica as string };
  };
  const untilReplicaIs = (said: string | RegExp) =>
    vi.waitFor(async () => expect((await readiness()).replica).toMatch(said), POLLING);
  const served = async (from: 'replica' | 'primary') => {
    const text = await (await fetch(`${reader.base}/metrics`)).text();
    return Number(new RegExp(`colophon_record_reads_total{from="${from}"} (\\d+)`).exec(text)?.[1]);
  };

  /**
   * Records an action, and reads it at once through the other node. Also returns whether the list of that node begins
   * with the action.
   */
  async function recordAndRead() {
    const outputCids = [`sha256:${randomUUID().replaceAll('-', '').repeat(2)}`];
    const made = await writer.send('/v1/action', jsonPost({ performedBy: 'ann', outputCids }));
    const { actionId } = await made.json();
    const [action, bundle, list] = await Promise.all([
      reader.send(`/v1/action/${actionId}`),
      reader.send(`/v1/bundle/${outputCids[0]}`),
      reader.send('/v1/actions?limit=1').then((answer) => answer.json()),
    ]);
    return {
      statuses: [made.status, action.status, bundle.status],
      isNewest: list.actions[0]?.id === actionId,
    };
  }
  const seen = { statuses: [201, 200, 200], isNewest: true };

  it('a read through one node sees every earlier write through the other, and the replica answers reads', async () => {
    const before = await served('replica');
    for (let count = 0; count < 100; count++) expect(await recordAndRead()).toEqual(seen);
    expect((await served('replica')) - before).toBeGreaterThan(0);
  });

  it('reads of records, lists, histories and content go to the replica', async () => {
    const { cid, actionId } = await (
      await writer.upload(`some text that was written ${randomUUID()}`)
    ).json();
    const paths = [
      ...['/v1/entity/ann', `/v1/action/${actionId}`, `/v1/resource/${cid}`, `/v1/resource/${cid}/content`],
      ...['/v1/entities', '/v1/actions', `/v1/attributions?actionId=${actionId}`],
      ...[
        `/v1/bundle/${cid}`,
        `/v1/distribution/${cid}`,
        `/v1/similar/${cid}`,
        `/v1/resource/${cid}/ownership`,
      ],
    ];
    // Background writes may delay the replica for a moment.
    await vi.waitFor(async () => {
      await untilReplicaIs('ok');
      const before = await served('primary');
      for (const each of paths) expect([each, (await reader.send(each)).status]).toEqual([each, 200]);
      expect(await served('primary')).toBe(before);
    }, POLLING);
  }, 90_000);

  it('a lagging replica hides no write, and is used again after it catches up', async () => {
    await runSql(on(replica, urlOf(reader)), 'select pg_wal_replay_pause()');
    for (let count = 0; count < 5; count++) expect(await recordAndRead()).toEqual(seen);
    expect(await readiness()).toEqual({
      status: 200,
      replica: 'impaired: it is behind; DATABASE_URL answers',
    });
    await runSql(on(replica, urlOf(reader)), 'select pg_wal_replay_resume()');
    await untilReplicaIs('ok');
    const before = await served('replica');
    expect(await recordAndRead()).toEqual(seen);
    expect(await served('replica')).toBeGreaterThan(before);
  });

  it('a killed replica makes no read fail, and is ready again after its restart', async () => {
    await replica.kill9();
    for (let count = 0; count < 5; count++) expect(await recordAndRead()).toEqual(seen);
    await untilReplicaIs('impaired: it does not respond; DATABASE_URL answers');
    expect((await readiness()).status).toBe(200);
    await replica.restart();
    await untilReplicaIs('ok');
    expect(await recordAndRead()).toEqual(seen);
  });

  it('a hanging replica makes no read fail, and is ready again afterwards', async () => {
    const url = urlOf(writer);
    const there = new URL(on(replica, url));
    const gate = await startTcpGate(Number(there.port));
    there.port = String(gate.port);
    const node = await startNode({ DATABASE_URL: url, DATABASE_REPLICA_URL: there.href });
    try {
      await vi.waitFor(async () => expect(await replicaOf(node)).toBeUndefined(), POLLING);
      const readMany = () => Promise.all(Array.from({ length: 30 }, () => node.send('/v1/entity/ann')));
      await readMany();
      gate.hold();
      const answers = await readMany();
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(await replicaOf(node)).toBe('it does not respond');
      gate.open();
      await vi.waitFor(async () => expect(await replicaOf(node)).toBeUndefined(), POLLING);
      expect((await node.send('/v1/entity/ann')).status).toBe(200);
    } finally {
      await gate.close();
      await node.stop();
    }
  });

  it('DATABASE_REPLICA_URL is not in use if it leads to a primary, to another database, or to no server', async () => {
    const elsewhere = await createDatabase(inject('postgresUrl'));
    for (const [url, said] of [
      [replica.url, 'it is of another database'],
      [elsewhere, 'it is no standby'],
      [`postgres://127.0.0.1:${await freePort()}/nothing`, 'it does not respond'],
    ] as const) {
      const node = await startNode({ DATABASE_URL: urlOf(writer), DATABASE_REPLICA_URL: url });
      try {
        expect((await node.send('/v1/entity/ann')).status).toBe(200);
        await vi.waitFor(async () => expect(await replicaOf(node)).toBe(said), POLLING);
        expect((await node.send('/v1/entity/ann')).status).toBe(200);
        expect(await doctor({ url: urlOf(writer), replicaUrl: url })).toContain(`not in use: ${said}`);
      } finally {
        await node.stop();
      }
    }
    const url = urlOf(writer);
    expect(await doctor({ url, replicaUrl: on(replica, url) })).toContain('records are read from it');
  });

  it('a promoted replica is not used, and a node on it uses no replica of the old primary', async () => {
    const promoted = await startPostgres({ fsync: true, standbyOf: primary.url });
    const url = urlOf(writer);
    const nodes = [await startNode({ DATABASE_URL: url, DATABASE_REPLICA_URL: on(promoted, url) })];
    try {
      await vi.waitFor(async () => expect(await replicaOf(nodes[0])).toBeUndefined(), POLLING);
      await runSql(on(promoted, url), 'select pg_promote()');
      await writer.send('/v1/entity', jsonPost({ id: 'bob', role: 'human', name: 'Bob' }));
      expect((await nodes[0]?.send('/v1/entity/bob'))?.status).toBe(200);
      await vi.waitFor(async () => expect(await replicaOf(nodes[0])).toBe('it is no standby'), POLLING);
      nodes.push(
        await startNode({ DATABASE_URL: on(promoted, url), DATABASE_REPLICA_URL: on(replica, url) }),
      );
      const { send } = nodes[1] as Service;
      await send('/v1/entity', jsonPost({ id: 'eve', role: 'human', name: 'Eve' }));
      expect((await send('/v1/entity/eve')).status).toBe(200);
      await vi.waitFor(
        async () => expect(await replicaOf(nodes[1])).toBe('it is of another timeline'),
        POLLING,
      );
    } finally {
      for (const node of nodes) await node.stop();
      await promoted.stop();
    }
  });
});

describe('two nodes on a PostgreSQL that confirms commits before it flushes them', () => {
  it('a read through one node sees every earlier write through the other node', async () => {
    const primary = await startPostgres();
    const replica = await startPostgres({ standbyOf: primary.url });
    const url = await createDatabase(primary, 'replica');
    const writer = await startService('PostgreSQL', { environment: { DATABASE_URL: url } });
    const reader = await startService('PostgreSQL', {
      environment: { DATABASE_URL: url, DATABASE_REPLICA_URL: on(replica, url) },
    });
    try {
      for (let count = 0; count < 10; count++) {
        await vi.waitFor(async () => expect(await replicaOf(reader)).toBeUndefined(), POLLING);
        await writer.send('/v1/entity', jsonPost({ id: `ann-${count}`, role: 'human' }));
        expect((await reader.send(`/v1/entity/ann-${count}`)).status).toBe(200);
      }
    } finally {
      for (const one of [reader, writer, replica, primary]) await one.stop();
    }
  });
});

/** Checks the configuration before a node starts. */
async function doctor({ url, replicaUrl }: { url: string; replicaUrl: string }): Promise<string> {
  return (await runCli(['doctor'], { DATABASE_URL: url, DATABASE_REPLICA_URL: replicaUrl })).stdout;
}

async function replicaOf(node: Service | undefined): Promise<string | undefined> {
  const { checks } = await (await fetch(`${node?.base}/readyz`)).json();
  return /^impaired: (.*); DATABASE_URL answers$/.exec(checks.replica)?.[1];
}

function urlOf({ config: { store } }: Service): string {
  if (store.kind !== 'postgresql') throw new Error('not on PostgreSQL');
  return store.url;
}

function on(server: PostgresServer, url: string): string {
  const there = new URL(server.url);
  there.pathname = new URL(url).pathname;
  return there.href;
}
