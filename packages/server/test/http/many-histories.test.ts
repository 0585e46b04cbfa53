import { availableParallelism } from 'node:os';
import { parseContentId, toGraph, toProvJson } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { readDistributions } from '../../src/records/read/read-distribution.js';
import {
  ENGINES,
  jsonPost,
  KEY,
  OTHER_KEY,
  oneOrAll,
  type Service,
  startService,
} from '../support/service.js';

const LAYERS = 12;
const WIDTH = 40;
const SOON = { timeout: 20_000, interval: 5 };

const cidOf = (layer: number, place: number) =>
  `sha256:${(layer * WIDTH + place).toString(16).padStart(64, '0')}`;

describe.each(oneOrAll(ENGINES))('many long histories at once, on %s', (engine) => {
  let service: Service;

  beforeAll(async () => {
    service = await startService(engine);
    await service.send('/v1/entity', jsonPost({ id: 'ann', role: 'human' }));
    for (let layer = 0; layer < LAYERS; layer++) {
      const inputCids =
        layer === 0 ? [] : Array.from({ length: WIDTH }, (_, place) => cidOf(layer - 1, place));
      const actions = Array.from({ length: WIDTH }, (_, place) => ({
        performedBy: 'ann',
        inputCids,
        outputCids: [cidOf(layer, place)],
      }));
      expect((await service.send('/v1/batch', jsonPost({ actions }))).status).toBe(201);
    }
  }, 60_000);
  afterAll(() => service.stop());

  const counts = () => service.context.records.scheduler.counts().history;
  const askLong = (place: number, signal?: AbortSignal) =>
    fetch(`${service.base}/v1/graph/${cidOf(LAYERS - 1, place)}?depth=32&limit=1000`, {
      headers: { authorization: `Bearer ${KEY}` },
      ...(signal && { signal }),
    });

  it('histories of one project leave a slot free, and another project is answered before most of them', async () => {
    const ended: string[] = [];
    const running: number[] = [];
    const watch = setInterval(() => running.push(counts().running), 1);
    const long = Array.from({ length: 8 }, async (_, place) => {
      const answer = await askLong(place);
      ended.push('long');
      return answer.status;
    });
    await vi.waitFor(() => expect(counts().waiting).toBeGreaterThan(4), SOON);
    const other = await fetch(`${service.base}/v1/log`, {
      headers: { authorization: `Bearer ${OTHER_KEY}` },
    });
    ended.push('other');
    expect(other.status).toBe(200);
    expect(await Promise.all(long)).toEqual(long.map(() => 200));
    clearInterval(watch);
    expect(ended.indexOf('other')).toBeLessThan(4);
    // Some slots stay free: for the public readers of the project, and one for other projects.
    const slots = Math.max(3, availableParallelism());
    expect(Math.max(...running)).toBe(slots - Math.max(1, Math.floor(slots / 4)) - 1);
  });

  it('a worker thread converts a history, with the same result as the model', async () => {
    const before = service.context.records.converter.counts.inThread;
    const read = async (path: string) => (await service.send(`${path}/${cidOf(LAYERS - 1, 39)}`)).json();
    const bundle = await read('/v1/bundle');
    const provJson = await service.send(`/v1/bundle/${bundle.cid}?format=prov-json`);
    expect(await provJson.json()).toEqual(JSON.parse(JSON.stringify(toProvJson(bundle))));
    expect(await (await askLong(39)).json()).toEqual(JSON.parse(JSON.stringify(toGraph(bundle))));
    expect(service.context.records.converter.counts.inThread).toBe(before + 2);
  });

  it('a worker thread describes a history for readers of its publication', async () => {
    const cid = cidOf(LAYERS - 1, 37);
    const { id } = await (await service.send('/v1/publications', jsonPost({ cid }))).json();
    const before = service.context.records.converter.counts.inThread;
    const read = async (path: string) => (await fetch(`${service.base}/app/api/public/${id}${path}`)).json();
    const { people, steps, contents, credits, log: _, ...summary } = await read('');
    expect([people.length, steps.length]).toEqual([1, (LAYERS - 1) * WIDTH + 1]);
    expect([contents, credits].every((list) => list.length > 0)).toBe(true);
    expect(await read('/summary')).toEqual(summary);
    expect(service.context.records.converter.counts.inThread).toBe(before + 2);
  });

  it('a worker thread distributes shares over a history', async () => {
    const before = service.context.records.converter.counts.inThread;
    const options = 'policy=all-ancestors&decay=1';
    const answer = await service.send(`/v1/distribution/${cidOf(LAYERS - 1, 38)}?${options}`);
    expect(await answer.json()).toMatchObject({
      complete: true,
      shares: [{ entityId: 'ann', share: 10_000 }],
    });
    expect(service.context.records.converter.counts.inThread).toBe(before + 1);
  });

  it.each([
    [3, 0],
    [4, 1],
  ])(
    'shares of %i weights with many digits are computed in a worker thread %i times',
    async (count, inThread) => {
      const before = service.context.records.converter.counts.inThread;
      const attributions = Array.from({ length: count }, (_, place) => ({
        entityId: `e${place}`,
        resourceCid: cidOf(0, 0),
        role: 'creator',
        weight: `1/1${'0'.repeat(62)}${(place % 9) + 1}`,
      }));
      const actions = [{ id: 'a', inputCids: [], outputCids: [cidOf(0, 0)] }];
      const bundle = { cid: cidOf(0, 0), actions, attributions };
      const answer = await service.send('/v1/distribution/preview', jsonPost({ bundle }));
      expect(await answer.json()).toMatchObject({ shares: { length: count } });
      expect(service.context.records.converter.counts.inThread).toBe(before + inThread);
    },
  );

  it('a worker thread distributes shares over a bundle that the caller sends', async () => {
    const before = service.context.records.converter.counts.inThread;
    const cid = cidOf(4, 38);
    const { actions, attributions, entities } = await (await service.send(`/v1/bundle/${cid}`)).json();
    const named = attributions.map(({ resourceCid, actionId, entityId, role }: Record<string, string>) => ({
      ...(resourceCid && { resourceCid }),
      ...(actionId && { actionId }),
      entityId,
      role,
    }));
    const bundle = {
      cid,
      actions: actions.map(({ id, inputCids, outputCids }: Record<string, unknown>) => ({
        id,
        inputCids,
        outputCids,
      })),
      attributions: named,
      entities: entities.map(({ id }: { id: string }) => ({ id })),
    };
    const asked = { bundle, policy: 'all-ancestors', decay: 1 };
    const answer = await service.send('/v1/distribution/preview', jsonPost(asked));
    expect(await answer.json()).toMatchObject({ shares: [{ entityId: 'ann', share: 10_000 }] });
    expect(service.context.records.converter.counts.inThread).toBe(before + 1);
  });

  // Up to 8 contents take two turns each: to read the history and to convert it.
  it.each([
    [8, 16],
    [9, 1],
  ])('of %i contents in one request for shares take %i turns in the fair queue', async (count, waits) => {
    const { records } = service.context;
    let turns = 0;
    const scheduler: typeof records.scheduler = {
      ...records.scheduler,
      run: (turn, task) => {
        turns += 1;
        return records.scheduler.run(turn, task);
      },
    };
    const cids = Array.from({ length: count }, (_, place) => parseContentId(cidOf(LAYERS - 1, place)) ?? '');
    const project = namedProjectId('one');
    const found = await readDistributions({ ...records, scheduler }, project, { cids, policy: 'direct' });
    expect([found.length, turns]).toEqual([count, waits]);
  });

  it('give the shares of each content if one request asks for the shares of nine contents', async () => {
    const cids = Array.from({ length: 9 }, (_, place) => parseContentId(cidOf(LAYERS - 1, place)) ?? '');
    const asked = { cids, policy: 'all-ancestors' } as const;
    const found = await readDistributions(service.context.records, namedProjectId('one'), asked);
    expect(found.map(({ distribution }) => distribution.shares.length)).toEqual(cids.map(() => 1));
  });

  it('return 413 for shares over several histories that together exceed the size limit', async () => {
    const cids = Array.from({ length: 5 }, (_, place) => parseContentId(cidOf(LAYERS - 1, place)) ?? '');
    const asked = { cids, policy: 'parents', maxBytes: 10_000 } as const;
    await expect(
      readDistributions(service.context.records, namedProjectId('one'), asked),
    ).rejects.toMatchObject({ code: 'PayloadTooLarge', message: expect.stringContaining('the first 1 ') });
  });

  it('the routes of the ProvenanceKit SDK return only a part of a history with large records', async () => {
    const note = 'x'.repeat(900_000);
    for (let place = 0; place < 4; place++) {
      const inputCids = place === 0 ? [] : [cidOf(900, place - 1)];
      const action = { performedBy: 'ann', inputCids, outputCids: [cidOf(900, place)], sessionId: 'long' };
      const answer = await service.send(
        '/v1/action',
        jsonPost({ ...action, extensions: { 'ext:x@1.0.0': { note } } }),
      );
      expect(answer.status).toBe(201);
    }
    for (const path of [`bundle/${cidOf(900, 3)}`, 'session/long/provenance']) {
      const { complete, actions } = await (await service.send(`/${path}`)).json();
      expect([complete, actions.length]).toEqual([false, 2]);
    }
    const whole = await (await service.send(`/v1/bundle/${cidOf(900, 3)}`)).json();
    expect([whole.complete, whole.actions.length]).toEqual([true, 4]);
  });

  it('a long history waits for a second slot before it is converted for the ProvenanceKit SDK', async () => {
    const runs = vi.spyOn(service.context.records.scheduler, 'run');
    const countSlots = async (path: string) => {
      runs.mockClear();
      const { status } = await service.send(path);
      return [status, runs.mock.calls.filter(([{ kind }]) => kind === 'history').length];
    };
    expect(await countSlots(`/graph/${cidOf(0, 0)}`)).toEqual([200, 0]);
    expect(await countSlots(`/graph/${cidOf(LAYERS - 1, 36)}?depth=100`)).toEqual([200, 2]);
    expect(await countSlots(`/bundle/${cidOf(LAYERS - 1, 36)}`)).toEqual([200, 2]);
    runs.mockRestore();
  });

  it('do not begin after their callers left, and the running history ends', async () => {
    const gone = new AbortController();
    const long = Array.from({ length: 8 }, (_, place) =>
      askLong(20 + place, gone.signal).catch(() => 'left'),
    );
    await vi.waitFor(() => expect(counts().waiting).toBeGreaterThan(4), SOON);
    gone.abort();
    expect(await Promise.all(long)).toEqual(long.map(() => 'left'));
    await vi.waitFor(() => expect(counts()).toMatchObject({ running: 0, waiting: 0 }), SOON);
  });
});
