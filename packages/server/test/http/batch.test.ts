import { randomUUID } from 'node:crypto';
import { type Bundle, parseTrustedLog, type TrustedLog, verifyReceipt } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNamedProjectKey } from '../../src/access/create-key.js';
import { createVerifySignature } from '../../src/access/ed25519.js';
import { readUsage } from '../../src/management/read-usage.js';
import { jsonPost, RECORD_ENGINES, type Service, startService } from '../support/service.js';

let drawn = 0;
const freshCid = () => `sha256:${(++drawn).toString(16).padStart(64, '0')}`;
const ANN = { id: 'studio:ann', role: 'human', name: 'Ann' };

describe.each(RECORD_ENGINES)('batches, on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  const post = async (body: unknown, headers: Record<string, string> = {}) => {
    const answer = await service.send('/v1/batch', jsonPost(body, headers));
    return { status: answer.status, body: await answer.json() };
  };
  const get = async (path: string) => (await service.send(path)).json();
  const count = async () => (await get('/v1/log')).size;
  /** Defaults of MAX_BATCH_RECORDS and MAX_BATCH_CONTENTS. */
  const [most, mostContents] = engine === 'PGlite in memory' ? [1_000, 2_000] : [3_000, 10_000];

  it('201: actions and attributions name earlier records of the same batch', async () => {
    const cids = [freshCid(), freshCid(), freshCid()];
    const id = randomUUID();
    const { status, body } = await post({
      entities: [ANN, { role: 'ai', name: 'Painter' }],
      actions: [
        { id, performedBy: ANN.id, outputCids: [cids[0]] },
        { type: 'transform', performedBy: ANN.id, inputCids: [cids[0]], outputCids: [cids[1]] },
        { type: 'transform', performedBy: ANN.id, inputCids: [cids[1]], outputCids: [cids[2]] },
      ],
      attributions: [{ entityId: ANN.id, actionId: id, role: 'contributor', weight: 2 }],
    });
    expect(status).toBe(201);
    expect(body.entities).toEqual([
      { id: ANN.id, created: true },
      { id: expect.stringMatching(/^ai:/), created: true },
    ]);
    expect(body.actions[0]).toEqual({
      actionId: id,
      digest: expect.stringMatching(/^sha256:/),
      replayed: false,
    });
    const bundle: Bundle = await get(`/v1/bundle/${cids[2]}`);
    expect(bundle.actions.map(({ digest }) => digest)).toEqual(
      body.actions.map(({ digest }: { digest: string }) => digest),
    );
    expect(bundle.attributions.map(({ id }) => id)).toContain(body.attributions[0].id);
  });

  it('each record has a leaf, and its receipt verifies', async () => {
    const before = await count();
    const { body } = await post({ actions: [{ performedBy: ANN.id }, { performedBy: ANN.id }] });
    expect((await count()) - before).toBe(4);
    const trusted = parseTrustedLog((await get('/v1/log')).verifierKey) as TrustedLog;
    for (const { actionId } of body.actions) {
      const receipt = await get(`/v1/action/${actionId}/receipt`);
      expect(verifyReceipt(receipt, trusted, createVerifySignature())).toMatchObject({ verified: true });
    }
  });

  it('one rejected record rejects the whole batch, and each problem has its path', async () => {
    const before = await count();
    const [known] = [randomUUID()];
    await post({ actions: [{ id: known, performedBy: ANN.id }] });
    const cid = freshCid();
    const refused = await post({
      entities: [
        { id: `lab:${randomUUID()}`, role: 'ai' },
        { ...ANN, name: 'Another' },
      ],
      actions: [
        { performedBy: ANN.id, outputCids: [cid] },
        { performedBy: 'nobody' },
        { id: known, performedBy: ANN.id, type: 'verify' },
      ],
      attributions: [{ entityId: ANN.id, actionId: randomUUID(), role: 'source' }],
    });
    expect(refused.status).toBe(409);
    expect(refused.body.error.code).toBe('Conflict');
    expect(refused.body.error.message).toContain('entities.1');
    expect(refused.body.error.details).toMatchObject([
      { path: 'entities.1', code: 'Conflict', details: { entityId: ANN.id, fields: ['name'] } },
      { path: 'actions.1', code: 'NotFound', details: { entityId: 'nobody' } },
      { path: 'actions.2', code: 'Conflict', details: { actionId: known } },
      { path: 'attributions.0', code: 'NotFound' },
    ]);
    expect(await count()).toBe(before + 2);
    expect((await service.send(`/v1/bundle/${cid}`)).status).toBe(404);
  });

  it('422: content that would become its own ancestor within the batch', async () => {
    const [a, b] = [freshCid(), freshCid()];
    const { status, body } = await post({
      actions: [
        { performedBy: ANN.id, inputCids: [a], outputCids: [b] },
        { performedBy: ANN.id, inputCids: [b], outputCids: [a] },
      ],
    });
    expect([status, body.error.details[0].path]).toEqual([422, 'actions.1']);
  });

  it('413: the cycle checks of a batch exceed their limit; 422: the check of one action is too long', async () => {
    const record = (layers: string[][]) =>
      layers
        .slice(1)
        .map((outputCids, place) => ({ performedBy: ANN.id, inputCids: layers[place], outputCids }));
    const chains = [0, 1].map(() => Array.from({ length: 600 }, () => [freshCid()]));
    for (const chain of chains)
      expect((await post({ entities: [ANN], actions: record(chain) })).status).toBe(201);
    const joint = { performedBy: ANN.id, inputCids: chains[0]?.at(-1), outputCids: chains[1]?.[0] };
    const before = await count();
    const together = await post({ actions: Array(100).fill(joint) });
    expect([together.status, together.body.error.code]).toEqual([413, 'PayloadTooLarge']);
    expect(together.body.error.message).toContain('followed 40,000 links');
    expect(await count()).toBe(before);
    expect((await service.send('/v1/action', jsonPost(joint))).status).toBe(201);

    const layers = Array.from({ length: 4 }, () => Array.from({ length: 100 }, freshCid));
    for (const action of record(layers).flatMap((one) => Array(5).fill(one)))
      expect((await post({ actions: Array(9).fill(action) })).status).toBe(201);
    const back = { performedBy: ANN.id, inputCids: layers[3], outputCids: [layers[0]?.[0]] };
    const long = await (await service.send('/v1/action', jsonPost(back))).json();
    expect([long.error.code, long.error.details[0].path]).toEqual(['ValidationError', 'outputCids']);
    expect(long.error.message).toContain('10,000 or more links');
  });

  it('422: each violation of the schema has the index of its record; an empty batch is a violation', async () => {
    const { status, body } = await post({ actions: [{ performedBy: ANN.id }, { performedBy: 7 }, { x: 1 }] });
    expect(status).toBe(422);
    expect(body.error.details.map(({ path }: { path: string }) => path)).toEqual([
      'actions.1.performedBy',
      'actions.2.performedBy',
      'actions.2.x',
    ]);
    expect((await post({})).status).toBe(422);
    const tooMany = Array(1001).fill({ performedBy: ANN.id });
    expect((await post({ actions: tooMany })).status).toBe(most > 1_000 ? 422 : 413);
  });

  it('200: a repeated batch with ids is a replay; 201: an added action is recorded', async () => {
    const action = { id: randomUUID(), performedBy: ANN.id };
    const batch = { entities: [ANN], actions: [action] };
    const [first, again] = [await post(batch), await post(batch)];
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body.actions).toEqual([{ ...first.body.actions[0], replayed: true }]);
    expect(again.body.entities).toEqual([{ id: ANN.id, created: false }]);
    const more = await post({ actions: [action, { performedBy: ANN.id }] });
    expect(more.status).toBe(201);
    expect(more.body.actions.map(({ replayed }: { replayed: boolean }) => replayed)).toEqual([true, false]);
  });

  it('201: a batch with as many records as the engine permits; 413: one record more', async () => {
    const third = Math.floor(most / 3);
    const listOf = (length: number, toRecord: (place: number) => object) =>
      Array.from({ length }, (_, place) => toRecord(place));
    const idOf = (place: number) => `one of many:${place}`;
    const cid = freshCid();
    const batch = {
      entities: listOf(most - 2 * third, (place) => ({ id: idOf(place), role: 'human' })),
      actions: listOf(third, (place) => ({ performedBy: idOf(place), outputCids: place === 0 ? [cid] : [] })),
      attributions: listOf(third, (place) => ({
        ...{ entityId: idOf(place), resourceCid: cid, role: 'contributor' },
      })),
    };
    const { status, body } = await post(batch);
    expect([status, body.attributions?.length], JSON.stringify(body.error)).toEqual([201, third]);

    const before = await count();
    const refused = await post({ ...batch, entities: [...batch.entities, 'not an entity'] });
    expect([refused.status, refused.body.error.code]).toEqual([413, 'PayloadTooLarge']);
    expect(refused.body.error).toMatchObject({
      message: `The batch has ${most + 1} entities, actions and attributions; at most ${most} are allowed (MAX_BATCH_RECORDS).`,
      recovery: expect.stringMatching(
        /^Send several smaller batches, or ask the operator to raise MAX_BATCH_RECORDS/,
      ),
      details: { records: most + 1, maxRecords: most },
    });
    expect(await count()).toBe(before);
    expect(await (await service.send('/metrics')).text()).toMatch(
      /colophon_requests_refused_total\{bound="MAX_BATCH_RECORDS"\} [1-9]/,
    );
  }, 120_000);

  it('413: the error for a batch with too many contents names the limit, and nothing is recorded', async () => {
    const before = await count();
    const inputCids = Array.from({ length: 1_000 }, freshCid);
    const action = { performedBy: ANN.id, inputCids, outputCids: [freshCid()] };
    const actions = Array(mostContents / 1_000).fill(action);
    const { status, body } = await post({ entities: [ANN], actions });
    expect([status, body.error.message]).toEqual([
      413,
      expect.stringContaining(
        `${mostContents + actions.length} content identifiers; at most ${mostContents}`,
      ),
    ]);
    expect(body.error.recovery).toContain('MAX_BATCH_CONTENTS');
    expect(await count()).toBe(before);
    expect(await (await service.send('/metrics')).text()).toContain(
      'colophon_requests_refused_total{bound="MAX_BATCH_CONTENTS"} 1',
    );
  });

  it('422: the error lists the first 16 of many invalid content identifiers; the others are unchecked', async () => {
    const wrong = (count: number) => Array.from({ length: count }, (_, place) => `wrong ${place}`);
    const actions = Array(2).fill({ performedBy: ANN.id, inputCids: wrong(900) });
    const { status, body } = await post({ entities: [ANN], actions });
    expect([status, body.error.code]).toEqual([422, 'ValidationError']);
    expect(body.error.details).toHaveLength(17);
    expect(body.error.details[0]).toMatchObject({ path: 'actions.0.inputCids.0' });
    expect(body.error.details[16]).toMatchObject({ truncated: true });
    const few = await post({ entities: [ANN], actions: [{ performedBy: ANN.id, inputCids: wrong(20) }] });
    expect(few.body.error.details).toHaveLength(20);
    expect(few.body.error.details[0].message).toBe(body.error.details[0].message);
  });

  it('a repetition with its Idempotency-Key gets the first answer; another batch with this key gets 422', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const batch = { actions: [{ performedBy: ANN.id }] };
    const first = await post(batch, headers);
    const before = await count();
    expect(await post(batch, headers)).toEqual(first);
    expect(await count()).toBe(before);
    expect((await post({ actions: [{ performedBy: ANN.id, type: 'verify' }] }, headers)).status).toBe(422);
  });

  it('a rejected batch leaves its Idempotency-Key free', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const id = `lab:${randomUUID()}`;
    const batch = { actions: [{ performedBy: id }] };
    expect((await post(batch, headers)).status).toBe(404);
    await post({ entities: [{ id, role: 'ai' }] });
    expect((await post(batch, headers)).status).toBe(201);
  });

  it('409: a stored answer does not reveal an erased performer again', async () => {
    const id = `lab:${randomUUID()}`;
    const headers = { 'idempotency-key': randomUUID() };
    const batch = { entities: [{ id, role: 'human', name: 'Eve' }], actions: [{ performedBy: id }] };
    expect((await post(batch, headers)).status).toBe(201);
    const erased = await service.send(`/v1/entity/${encodeURIComponent(id)}/personal-data`, {
      method: 'DELETE',
    });
    expect(erased.status).toBe(200);
    expect((await post(batch, headers)).status).toBe(409);
  });

  it('1,000 chained actions fit into one batch, and the history is complete', async () => {
    const cids = Array.from({ length: 1001 }, freshCid);
    const actions = cids.slice(1).map((cid, index) => ({
      type: 'transform',
      performedBy: ANN.id,
      inputCids: [cids[index]],
      outputCids: [cid],
    }));
    const { status, body } = await post({ actions });
    expect([status, body.actions.length]).toEqual([201, 1000]);
    const bundle: Bundle = await get(`/v1/bundle/${cids[1000]}`);
    expect([bundle.actions.length, bundle.complete]).toEqual([1000, true]);
  }, 120_000);

  it('413 and nothing recorded on the embedded database: over 250 actions with used outputs', async () => {
    const used = Array.from({ length: 251 }, freshCid);
    const use = { type: 'transform', performedBy: ANN.id, inputCids: used, outputCids: [freshCid()] };
    expect((await post({ actions: [use] })).status).toBe(201);
    const actions = used.map((cid) => ({ performedBy: ANN.id, inputCids: [freshCid()], outputCids: [cid] }));
    if (engine !== 'PGlite in memory') {
      expect((await post({ actions })).status).toBe(201);
      return;
    }
    const before = await count();
    const { status, body } = await post({ actions });
    expect([status, body.error.code]).toEqual([413, 'PayloadTooLarge']);
    expect(body.error).toMatchObject({
      message: expect.stringContaining(
        '251 actions that the embedded database must write one by one; at most 250',
      ),
      recovery: expect.stringMatching(
        /Send several smaller batches .* PostgreSQL or to raise MAX_BATCH_RECORDS/,
      ),
      details: { actions: 251, maxActions: 250 },
    });
    expect(await count()).toBe(before);
    expect((await post({ actions: actions.slice(1) })).status).toBe(201);
  }, 120_000);

  it('413: a batch of more than 4 MiB, and one record of more than 1 MiB', async () => {
    const action = (length: number) => ({
      performedBy: ANN.id,
      extensions: { 'ext:note@1.0.0': { text: 'x'.repeat(length) } },
    });
    expect((await post({ actions: Array(5).fill(action(900_000)) })).status).toBe(413);
    const { status, body } = await post({ actions: [action(10), action(2 ** 20)] });
    expect([status, body.error.message]).toEqual([413, expect.stringContaining('actions.1')]);
  });

  it('422: each recipient of a payment must have a wallet, and may be an entity of the same batch', async () => {
    const id = `pay:${randomUUID()}`;
    const payment = (entityId: string) => ({
      performedBy: ANN.id,
      extensions: {
        'ext:payment@1.0.0': {
          method: 'direct',
          currency: 'ETH',
          chainId: 1,
          recipients: [{ entityId, share: 10_000 }],
        },
      },
    });
    const refused = await post({ entities: [ANN], actions: [payment(id)] });
    expect([refused.status, refused.body.error.details[0].path]).toEqual([
      422,
      'actions.0.extensions.ext:payment@1.0.0.recipients.0.entityId',
    ]);
    const entities = [ANN, { id, role: 'human', wallet: '0x07' }];
    expect((await post({ entities, actions: [payment(id)] })).status).toBe(201);
  });

  it('the usage counts a repeated action only once, and a read key cannot send a batch', async () => {
    const { control } = service.context.databases;
    const projectName = randomUUID();
    const keyOf = async (permission: 'read' | 'write') => {
      const made = await createNamedProjectKey(control, { projectName, name: 'k', permission });
      return { projectId: made.row.projectId, headers: { authorization: `Bearer ${made.key}` } };
    };
    const [reader, writer] = [await keyOf('read'), await keyOf('write')];
    const ids = [randomUUID(), randomUUID()];
    const batch = { entities: [ANN], actions: ids.map((id) => ({ id, performedBy: ANN.id })) };
    expect((await post(batch, reader.headers)).status).toBe(403);
    expect((await post(batch, writer.headers)).status).toBe(201);
    expect((await post(batch, writer.headers)).status).toBe(200);
    await service.context.meter.flush();
    const usage = await readUsage(control, writer.projectId, new Date());
    expect(JSON.stringify(usage)).toContain('"actionsRecorded":2');
  });
});
