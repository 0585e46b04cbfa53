import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseTrustedLog, verifyBundle, verifyEd25519, verifyReceipt } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { assertAllFollow } from '../../src/platform/db/citus/assert-all-follow.js';
import { openPostgres } from '../../src/platform/db/postgres.js';
import { holdTable } from '../support/hold-table.js';
import { createLedger, TENANTS } from '../support/ledger.js';
import { HAS_PGBOUNCER, type PoolerSettings, startPgbouncer } from '../support/pgbouncer.js';
import { createDatabase, createMigratedDatabase } from '../support/postgres.js';
import { runSql } from '../support/postgres-databases.js';
import { type ServiceProcess, startProcess, startTwo } from '../support/process.js';
import { startReceiver } from '../support/receiver.js';
import { jsonPost, MANAGEMENT_KEY } from '../support/service.js';
import { openAll } from '../support/stop-all.js';

const SOON = { timeout: 10_000, interval: 20 };
const CATS = 'The cat sleeps on the warm stone of the harbour wall while the boats come home. '.repeat(3);
const newCid = () => `sha256:${randomUUID().replaceAll('-', '').repeat(2)}`;

async function startBehindPooler(
  direct: string,
  { sessions, ...settings }: PoolerSettings & { sessions: number },
  environment: Record<string, string> = {},
) {
  return openAll(async (stops) => {
    const directory = mkdtempSync(path.join(tmpdir(), 'colophon-pooled-'));
    stops.push(async () => rmSync(directory, { recursive: true }));
    const pooler = await startPgbouncer(direct, sessions, settings);
    stops.push(pooler.stop);
    const inMode = settings.pool_mode === 'session' ? {} : { DATABASE_POOLER: 'transaction' };
    const all = {
      ...TENANTS,
      ...inMode,
      LOG_LEVEL: 'error',
      DATA_DIR: directory,
      DATABASE_URL: pooler.url,
      MANAGEMENT_API_KEY: MANAGEMENT_KEY,
      ...environment,
    };
    const [one, other] = await startTwo(() => startProcess(all), stops);
    return { direct, pooler, nodes: [one, other] as const };
  });
}

async function answerOf(answering: Promise<Response>) {
  const answer = await answering;
  return { status: answer.status, body: await answer.json() };
}

describe.skipIf(!HAS_PGBOUNCER).each([
  ['transaction', 3],
  // Each connection of a node holds a session.
  ['session', 20],
] as const)('two nodes behind PgBouncer in %s mode', (pool_mode, sessions) => {
  let place: Awaited<ReturnType<typeof startBehindPooler>>;
  let one: ServiceProcess;
  let other: ServiceProcess;

  beforeAll(async () => {
    const environment = { ALLOW_PRIVATE_ADDRESSES: 'true', SECRETS_KEY: 'a'.repeat(43).concat('=') };
    const direct = await createMigratedDatabase(inject('postgresUrl'));
    place = await startBehindPooler(direct, { sessions, pool_mode }, environment);
    [one, other] = place.nodes;
  });
  afterAll(() => place?.stop());

  const post = async (node: ServiceProcess, target: string, body: unknown, headers = {}) => {
    const answer = await answerOf(node.send(target, jsonPost(body, headers)));
    expect(answer.status, `${target}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };
  const get = async (node: ServiceProcess, target: string, headers = {}) => {
    const answer = await answerOf(node.send(target, { headers }));
    expect(answer.status, `${target}: ${JSON.stringify(answer.body)}`).toBe(200);
    return answer.body;
  };
  const manage = (node: ServiceProcess, target: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${MANAGEMENT_KEY}`, 'x-user-id': 'u' };
    const all = `/management${target}`;
    return body === undefined ? get(node, all, headers) : post(node, all, body, headers);
  };

  it('record, list, prove and find content, and each node sees the records of the other', async () => {
    const file = await answerOf(one.upload(`${CATS} ${pool_mode}`));
    expect(file.status).toBe(201);
    const { cid, entityId } = file.body;
    const outputCids = [newCid()];
    const made = await post(other, '/v1/action', { performedBy: entityId, inputCids: [cid], outputCids });
    const batch = { actions: [{ performedBy: entityId, inputCids: outputCids, outputCids: [newCid()] }] };
    await post(one, '/v1/batch', batch);
    const { verifierKey } = await get(other, '/v1/log');
    const trusted = parseTrustedLog(verifierKey);
    if (trusted === undefined) throw new Error('The log has no key');
    for (const node of [one, other]) {
      const bundle = await get(node, `/v1/bundle/${outputCids[0]}?proof=true`);
      expect(verifyBundle(bundle, trusted, verifyEd25519)).toMatchObject({ verified: true, complete: true });
      expect(bundle.actions.map(({ id }: { id: string }) => id)).toEqual([file.body.actionId, made.actionId]);
      const receipt = await get(node, `/v1/action/${made.actionId}/receipt`);
      expect(verifyReceipt(receipt, trusted, verifyEd25519)).toMatchObject({ verified: true });
      expect((await get(node, '/v1/actions?limit=3')).actions).toHaveLength(3);
      const find = async () => (await post(node, '/v1/search/text', { text: CATS })).matches;
      await expect.poll(find, SOON).toMatchObject([{ cid }]);
    }
  });

  it('make `colophon db distribute` refuse to start in transaction mode, but not in session mode', async () => {
    const db = openPostgres(place.direct, { keepsSession: false });
    const following = assertAllFollow(db).finally(() => db.close());
    if (pool_mode === 'session') await following;
    else await expect(following).rejects.toThrow('Stop all nodes with DATABASE_POOLER=transaction');
  });

  it('record once for one Idempotency-Key that both receive at the same time', async () => {
    await post(one, '/v1/entity', { id: 'ann', role: 'human' });
    const headers = { 'idempotency-key': randomUUID() };
    const ask = (node: ServiceProcess) => post(node, '/v1/action', { performedBy: 'ann' }, headers);
    const [first, second] = await Promise.all([ask(one), ask(other)]);
    expect(second).toEqual(first);
    expect(await ask(other)).toEqual(first);
  });

  it('send a webhook for an action, and reject a key one second after the other node revoked it', async () => {
    const receiver = await startReceiver();
    try {
      await manage(one, '/orgs', { name: 'Org', slug: 'org' });
      const { id } = await manage(one, '/projects', { orgSlug: 'org', name: 'Project' });
      const made = await manage(one, '/api-keys', { projectId: id, name: 'key', permissions: 'write' });
      const headers = { authorization: `Bearer ${made.key}` };
      await manage(one, `/projects/${id}/webhooks`, { url: receiver.url });
      await post(one, '/v1/entity', { id: 'ann', role: 'human' }, headers);
      const { actionId } = await post(other, '/v1/action', { performedBy: 'ann' }, headers);
      const [received] = await receiver.until(1, ({ message }) => message.type === 'action.recorded');
      expect(received?.message.data.actions).toMatchObject([{ id: actionId }]);
      await one.send(`/management/api-keys/${made.id}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${MANAGEMENT_KEY}`, 'x-user-id': 'u' },
      });
      await sleep(1_000);
      expect((await other.send('/v1/entities', { headers })).status).toBe(401);
    } finally {
      await receiver.close();
    }
  });

  it('a read whose caller leaves ends in PostgreSQL, and its session serves others', async () => {
    const held = await holdTable(place.direct, 'provenance.action');
    try {
      const leaving = new AbortController();
      const asked = Array.from({ length: sessions }, (_, at) =>
        (at % 2 === 0 ? one : other)
          .send(`/v1/bundle/${newCid()}`, { signal: leaving.signal })
          .catch(() => 'left'),
      );
      await expect.poll(held.countWaiting, SOON).toBeGreaterThan(0);
      leaving.abort();
      expect(await Promise.all(asked)).toEqual(asked.map(() => 'left'));
      await expect.poll(held.countWaiting, SOON).toBe(0);
      expect((await one.send('/v1/entities')).status).toBe(200);
    } finally {
      await held.release();
    }
  });

  it('write nothing to the error log', () => {
    for (const node of [one, other]) expect(node.output()).not.toMatch(/"level":(50|60)/);
  });
});

describe.skipIf(!HAS_PGBOUNCER)('PgBouncer in transaction mode', () => {
  const ledger = createLedger();
  let place: Awaited<ReturnType<typeof startBehindPooler>>;
  beforeAll(async () => {
    place = await startBehindPooler(await createDatabase(inject('postgresUrl')), { sessions: 5 });
  });
  afterAll(() => place?.stop());

  const restart = async (settings?: PoolerSettings) => {
    await place.pooler.kill9();
    await sleep(300);
    await place.pooler.start(settings);
  };

  it('carries the migrations of two nodes that start together on an empty database, each once', async () => {
    const readNames = async (url: string) =>
      (await runSql(url, 'select name from provenance.schema_change order by name')).map(({ name }) => name);
    const expected = await readNames(await createMigratedDatabase(inject('postgresUrl')));
    expect(await readNames(place.direct)).toEqual(expected);
  });

  it('restarts under load: the answers are 201 or 503, nothing is lost, and the nodes recover', async () => {
    const loads = place.nodes.map(({ base }) => ledger.load(base, 4));
    for (let time = 0; time < 3; time++) {
      await ledger.untilAcknowledged(20);
      ledger.faultBegins();
      await restart();
    }
    await ledger.untilAcknowledged(20);
    await Promise.all(loads.map((load) => load.stop()));
    expect([...ledger.statuses.keys()].sort()).toEqual([201, 503]);
    await ledger.checkLatest(place.nodes[0].base);
    ledger.report({ fault: 'PgBouncer goes away', how: 'kill -9, started again', rounds: 3 });
  });

  it('lets requests of two nodes wait for a single session, and each request is answered', async () => {
    await restart({ default_pool_size: 1 });
    const listOthers = () => [...ledger.statuses].filter(([status]) => status !== 201);
    const before = listOthers();
    const loads = place.nodes.map(({ base }) => ledger.load(base, 20));
    await ledger.untilAcknowledged(60);
    await Promise.all(loads.map((load) => load.stop()));
    expect(listOthers()).toEqual(before);
    await ledger.checkLatest(place.nodes[0].base);
  });

  it('without a free session, lets requests fail with 503 and Retry-After until a session is free', async () => {
    await restart({ default_pool_size: 1, query_wait_timeout: 1 });
    const [node] = place.nodes;
    const held = await holdTable(place.direct, 'provenance.action');
    const first = node.send(`/v1/bundle/${newCid()}`);
    await expect.poll(held.countWaiting, SOON).toBe(1);
    const begun = performance.now();
    const answers = await Promise.all(Array.from({ length: 15 }, () => node.send('/v1/entities')));
    expect(performance.now() - begun).toBeLessThan(10_000);
    for (const { status, headers } of answers)
      expect([status, headers.get('retry-after')]).toEqual([503, '2']);
    await held.release();
    expect((await first).status).toBe(404);
    const after = Array.from({ length: 15 }, () => node.send('/v1/entities'));
    expect((await Promise.all(after)).map(({ status }) => status)).toEqual(after.map(() => 200));
  });

  it('a waiting statement never gets a connection that the pooler has closed', async () => {
    const pooler = await startPgbouncer(place.direct, 1, { query_wait_timeout: 1 });
    // Statements without a project get two of these connections.
    const db = openPostgres(pooler.url, { connections: 3, keepsSession: false });
    const held = await holdTable(place.direct, 'provenance.action');
    try {
      const first = db.query('select count(*) from provenance.action');
      await expect.poll(held.countWaiting, SOON).toBe(1);
      const refused = db.query('select 1');
      const waiting = db.query('select 2 as two');
      waiting.catch(() => {});
      await expect(refused).rejects.toMatchObject({ code: 'Unavailable', headers: { 'retry-after': '2' } });
      await held.release();
      await first;
      expect(await waiting).toEqual([{ two: 2 }]);
    } finally {
      await held.release();
      await db.close();
      await pooler.stop();
    }
  });
});
