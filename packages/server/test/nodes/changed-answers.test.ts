import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { insertAnchors, noteFinal, noteMined, noteUnmined } from '../../src/anchors/anchors.sql.js';
import type { Database, Tx } from '../../src/platform/db/database.js';
import { finishJob, type Job, postponeJob } from '../../src/platform/jobs/outbox.sql.js';
import { jsonPost, type Service, startService } from '../support/service.js';

const PROJECT = namedProjectId('one');
const REGISTRY = { chainId: 1, chainName: 'a chain', contractAddress: '0x0' };
const MINED = { txHash: '0xa', blockNumber: 7, blockHash: '0xb', logIndex: 0 };

describe('cached answers of two nodes on one PostgreSQL', () => {
  let writer: Service;
  let reader: Service;
  let db: Database;
  let cid: string;
  let actionId: string;
  const anchorId = randomUUID();
  const jobId = randomUUID();

  beforeAll(async () => {
    const key = { SERVER_SIGNING_KEY: '5e'.repeat(32) };
    writer = await startService('PostgreSQL', { environment: key });
    const { store } = writer.config;
    if (store.kind !== 'postgresql') throw new Error('This is for PostgreSQL');
    reader = await startService('PostgreSQL', { environment: { ...key, DATABASE_URL: store.url } });
    db = writer.context.databases.provenance;
    await writer.send('/v1/entity', jsonPost({ id: 'ann', role: 'human', name: 'Ann' }));
    await writer.send('/v1/entity', jsonPost({ id: 'bo', role: 'human', name: 'Bo' }));
    const uploaded = await (await writer.upload('a file', { entity: { id: 'ann', role: 'human' } })).json();
    ({ cid, actionId } = uploaded);
  });
  afterAll(async () => {
    await reader?.stop();
    await writer?.stop();
  });

  const post = async (path: string, body: object) => {
    const answer = await writer.send(path, jsonPost(body));
    expect(answer.status, `${path}: ${await answer.clone().text()}`).toBeLessThan(300);
  };
  const patch = (path: string, body: object) =>
    writer.send(path, { ...jsonPost(body), method: 'PATCH' }).then(({ status }) => expect(status).toBe(200));
  const within = (run: (tx: Tx) => Promise<void>) => db.transaction(run);
  const claim = async (): Promise<Job> => {
    const claimed = randomUUID();
    await db.query('update provenance.outbox set claim = $2 where id = $1', [jobId, claimed]);
    return { projectId: PROJECT, id: jobId, kind: 'pin', payload: {}, attempt: 1, claim: claimed };
  };
  const queuePin = async () => {
    await db.query(
      `insert into provenance.outbox (project_id, id, kind, payload, due_at)
       values ($1, $2, 'pin', '{}', now() + interval '1 day')`,
      [PROJECT, jobId],
    );
    const jobs = JSON.stringify([{ id: jobId, kind: 'pin', payload: { cid, provider: 'kubo' } }]);
    await db.query('select provenance.add_pins($1, $2::jsonb)', [PROJECT, jobs]);
  };

  /** The changes run in this order. `path`: a response that shows the change. */
  const CHANGES: [name: string, path: () => string, change: () => Promise<unknown>][] = [
    [
      'an action',
      () => `/v1/graph/${cid}?direction=descendants`,
      () => post('/v1/action', { performedBy: 'ann', inputCids: [cid] }),
    ],
    [
      'an attribution',
      () => `/v1/bundle/${cid}`,
      () => post('/v1/attribution', { entityId: 'bo', resourceCid: cid, role: 'contributor' }),
    ],
    [
      'a batch',
      () => `/v1/bundle/${cid}?direction=both`,
      () => post('/v1/batch', { actions: [{ performedBy: 'bo', inputCids: [cid] }] }),
    ],
    [
      'a claim',
      () => `/v1/bundle/${cid}`,
      () =>
        post(`/v1/resource/${cid}/ownership/claim`, {
          entityId: 'bo',
          evidenceType: 'legal-document',
          evidenceRef: 'file 7',
        }),
    ],
    [
      'an action in a list',
      () => '/v1/actions?limit=3',
      () => post('/v1/action', { performedBy: 'ann', inputCids: [cid] }),
    ],
    [
      'a receipt in a larger tree',
      () => `/v1/action/${actionId}/receipt`,
      () => post('/v1/action', { performedBy: 'ann', inputCids: [cid] }),
    ],
    ['a name', () => '/v1/entity/ann', () => patch('/v1/entity/ann', { name: 'Annabel' })],
    [
      'a title',
      () => `/v1/resource/${cid}`,
      () => patch(`/v1/resource/${cid}`, { title: 'A file with a name' }),
    ],
    ['a pending pin', () => `/v1/resource/${cid}`, queuePin],
    [
      'a pin that failed',
      () => `/v1/resource/${cid}`,
      async () => postponeJob(db, await claim(), { message: 'no', retrySeconds: undefined }),
    ],
    [
      'a completed pin',
      () => `/v1/bundle/${cid}`,
      () => db.query('select provenance.note_pinned($1, $2, $3, $2, null)', [PROJECT, cid, 'kubo']),
    ],
    [
      'an anchor of the head of the log',
      () => `/v1/action/${actionId}`,
      () =>
        within(async (tx) => {
          const head = { projectId: PROJECT, size: 1_000_000, origin: 'o', place: 0, path: [] };
          await insertAnchors(
            tx,
            { anchors: [{ id: anchorId, rootHex: '00', size: 1, heads: [head] }], passedOver: [] },
            REGISTRY,
          );
          await tx.query(`update provenance.anchor set state = 'submitted' where id = $1`, [anchorId]);
        }),
    ],
    ['an anchor in a block', () => `/v1/bundle/${cid}`, () => within((tx) => noteMined(tx, anchorId, MINED))],
    [
      'an anchor that is no longer in a block',
      () => `/v1/bundle/${cid}`,
      () => within((tx) => noteUnmined(tx, anchorId)),
    ],
    ['an anchor that is final', () => `/v1/bundle/${cid}`, () => within((tx) => noteFinal(tx, [anchorId]))],
    [
      'an erasure',
      () => '/v1/entity/ann',
      () => writer.send('/v1/entity/ann/personal-data', { method: 'DELETE' }),
    ],
  ];

  it.each(CHANGES)('show a change on the other node, with another ETag: %s', async (_name, path, change) => {
    const read = async () => {
      const answer = await reader.send(path());
      expect(answer.status).toBe(200);
      return { etag: answer.headers.get('etag') ?? '', text: await answer.text() };
    };
    const before = await read();
    const { hits } = reader.context.records.answers.counts();
    expect(await read()).toEqual(before);
    expect(reader.context.records.answers.counts().hits).toBe(hits + 1);
    await change();
    const after = await read();
    expect(after.text).not.toBe(before.text);
    expect(after.etag).not.toBe(before.etag);
    const unchanged = await reader.send(path(), { headers: { 'if-none-match': after.etag } });
    expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
    const changed = await reader.send(path(), { headers: { 'if-none-match': before.etag } });
    expect(changed.status).toBe(200);
  });

  it('show an earlier proof until something is recorded', async () => {
    const read = async () => (await reader.send(`/v1/bundle/${cid}?proof=true`)).text();
    // The first proof adds a leaf to the log.
    const first = await read();
    expect(await read()).toBe(first);
    const { hits } = reader.context.records.answers.counts();
    expect(await read()).toBe(first);
    expect(reader.context.records.answers.counts().hits).toBe(hits + 1);
    await post('/v1/action', { performedBy: 'bo', inputCids: [cid] });
    expect(await read()).not.toBe(first);
  });

  it('become outdated when the job of a pin ends, but not after a call that records nothing', async () => {
    const readRevision = async () => {
      const [row] = await db.query<{ number: number }>(
        'select number from provenance.revision where project_id = $1',
        [PROJECT],
      );
      return row?.number ?? 0;
    };
    const before = await readRevision();
    expect(before).toBeGreaterThan(Date.parse('2026-01-01') * 1000);
    await finishJob(db, await claim());
    const after = await readRevision();
    expect(after).toBeGreaterThan(before);
    await db.query('select provenance.record($1, $2::jsonb)', [PROJECT, '[]']);
    expect(await readRevision()).toBe(after);
  });
});
