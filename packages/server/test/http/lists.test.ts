import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANY_ENGINE, jsonPost, OTHER_KEY, type Service, startService } from '../support/service.js';

const nameOf = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const freshCid = () => nameOf(randomBytes(8));

describe('lists, attributions, sessions and changes', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    for (const [id, role] of [
      ['ann', 'human'],
      ['bot', 'ai'],
      ['lab', 'organization'],
      ['cid', 'human'],
    ]) {
      await service.send('/v1/entity', jsonPost({ id, role }));
    }
    for (let n = 0; n < 25; n++) {
      await post('/v1/action', {
        performedBy: n % 5 === 0 ? 'bot' : 'ann',
        type: n % 2 === 0 ? 'generate' : 'transform',
        sessionId: n < 10 ? 'first session' : 'second/session',
        inputCids: [],
        outputCids: [],
      });
    }
  });
  afterAll(() => service.stop());

  const post = async (path: string, body: unknown) => {
    const answer = await service.send(path, jsonPost(body));
    return { status: answer.status, body: await answer.json() };
  };
  const get = async (path: string) => {
    const answer = await service.send(path);
    return { status: answer.status, body: await answer.json() };
  };

  it('the pages of a list have all actions, newest first, each once, and the last page has a null cursor', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { body } = await get(`/v1/actions?limit=7${query}`);
      expect(body.count).toBe(body.actions.length);
      seen.push(...body.actions.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor;
    } while (cursor !== null);
    expect(seen).toHaveLength(25);
    expect(new Set(seen).size).toBe(25);
    const { body: whole } = await get('/v1/actions?limit=200');
    expect(whole.actions.map(({ id }: { id: string }) => id)).toEqual(seen);
    const times = whole.actions.map(({ recordedAt }: { recordedAt: string }) => recordedAt);
    expect([...times].sort().reverse()).toEqual(times);
  });

  it('a new record neither shifts nor repeats the records after the cursor', async () => {
    const first = (await get('/v1/actions?limit=3')).body;
    await post('/v1/action', { performedBy: 'ann', type: 'verify' });
    const next = (await get(`/v1/actions?limit=3&cursor=${first.nextCursor}`)).body;
    const ids = [...first.actions, ...next.actions].map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(6);
    const offset = (await get('/v1/actions?limit=3&offset=4')).body;
    expect(offset.actions[0].id).toBe(ids[3]);
  });

  it('filters actions by type, performer and session, alone and together', async () => {
    const count = async (query: string) => (await get(`/v1/actions?limit=200&${query}`)).body.count;
    expect(await count('performedBy=bot')).toBe(5);
    expect(await count('type=generate')).toBe(13);
    expect(await count('sessionId=first%20session')).toBe(10);
    expect(await count('sessionId=first%20session&type=generate&performedBy=bot')).toBe(1);
    expect(await count('sessionId=none')).toBe(0);
  });

  it('lists content by type, creator, time and text, newest first, by cursor', async () => {
    const before = new Date(Date.now() - 60_000).toISOString();
    const record = async (content: string, id: string, resourceType: string) =>
      (await (await service.upload(content, { entity: { id, role: 'human' }, resourceType })).json()).cid;
    const heron = await record('a heron at dawn', 'ann', 'text');
    const poem = await record('a poem of the marsh', 'cid', 'text');
    const picture = await record('a picture of the marsh', 'cid', 'image');
    const list = async (query: string) => {
      const { status, body } = await get(`/v1/resources?${query}`);
      expect(status).toBe(200);
      expect(body.count).toBe(body.resources.length);
      return body.resources.map((resource: { cid: string }) => resource.cid);
    };
    expect(await list('')).toEqual([picture, poem, heron]);
    expect(await list('type=text')).toEqual([poem, heron]);
    expect(await list('creator=cid')).toEqual([picture, poem]);
    expect(await list('creator=cid&type=image')).toEqual([picture]);
    expect(await list('creator=nobody')).toEqual([]);
    expect(await list(`since=${before}&type=image`)).toEqual([picture]);
    expect(await list(`until=${before}`)).toEqual([]);
    expect(await list('text=a+heron+at+dawn')).toEqual([heron]);
    expect(await list('text=a+heron+at+dawn&type=image')).toEqual([]);
    const { body: first } = await get('/v1/resources?limit=2');
    expect(first.resources[0]).toEqual((await get(`/v1/resource/${picture}`)).body);
    const { body: last } = await get(`/v1/resources?limit=2&cursor=${first.nextCursor}`);
    expect([last.resources[0].cid, last.nextCursor]).toEqual([heron, null]);
    const others = await service.send('/v1/resources', { headers: { authorization: `Bearer ${OTHER_KEY}` } });
    expect(await others.json()).toEqual({ resources: [], count: 0, nextCursor: null });
  });

  it('filters entities by role', async () => {
    const { body } = await get('/v1/entities?role=human');
    expect(body.entities.map(({ id }: { id: string }) => id).sort()).toEqual(['ann', 'cid']);
    expect((await get('/v1/entities?limit=2')).body).toMatchObject({
      count: 2,
      nextCursor: expect.any(String),
    });
  });

  it('attribution 201 then 200: the same target, entity and role give the same record', async () => {
    const { body: action } = await post('/v1/action', { performedBy: 'ann', outputCids: [freshCid()] });
    const input = {
      entityId: 'lab',
      actionId: action.actionId,
      role: 'contributor',
      weight: '1/3',
      note: 'helped',
    };
    const first = await post('/v1/attribution', input);
    const again = await post('/v1/attribution', { ...input, note: 'said otherwise' });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(first.body.attribution).toMatchObject(input);
    expect(again.body).toEqual({ ...first.body, created: false });
    const listed = await get(`/v1/attributions?actionId=${action.actionId}`);
    expect(listed.body.attributions.map(({ role }: { role: string }) => role)).toEqual([
      'contributor',
      'creator',
    ]);
    const ofLab = await get('/v1/attributions?entityId=lab&role=contributor');
    expect(ofLab.body.count).toBe(1);
  });

  it('an attribution of content appears in its bundle, and under every identifier of the content', async () => {
    const bytes = randomBytes(2 ** 20 + 1);
    const { cid } = await (await service.upload(bytes)).json();
    const made = await post('/v1/attribution', {
      entityId: 'bot',
      resourceCid: nameOf(bytes),
      role: 'ext:muse',
    });
    expect(made.status).toBe(201);
    const bundle = (await get(`/v1/bundle/${cid}`)).body;
    expect(bundle.attributions.map(({ role }: { role: string }) => role)).toContain('ext:muse');
    expect(bundle.entities.map(({ id }: { id: string }) => id)).toContain('bot');
    expect((await get(`/v1/attributions?resourceCid=${nameOf(bytes)}&role=ext:muse`)).body.count).toBe(1);
  });

  it.each([
    [404, { entityId: 'nobody', resourceCid: freshCid(), role: 'creator' }],
    [404, { entityId: 'ann', actionId: '0198c0de-0000-7000-8000-00000000ffff', role: 'creator' }],
    [404, { entityId: 'ann', resourceCid: freshCid(), role: 'creator' }],
    [422, { entityId: 'ann', role: 'creator' }],
    [422, { entityId: 'ann', resourceCid: freshCid(), role: 'owner' }],
    [422, { entityId: 'ann', resourceCid: freshCid(), role: 'creator', weight: -1 }],
    [422, { entityId: 'ann', resourceCid: freshCid(), role: 'creator', weight: '1/0' }],
  ])('an attribution gets %i: %j', async (status, body) => {
    expect((await post('/v1/attribution', body)).status).toBe(status);
  });

  it('filters actions by their time of recording: `since` includes the instant, `until` excludes it', async () => {
    const { actions } = (await get('/v1/actions?limit=200')).body;
    const times: string[] = actions.map(({ recordedAt }: { recordedAt: string }) => recordedAt);
    const middle = times[Math.floor(times.length / 2)] ?? '';
    const of = async (query: string) =>
      (await get(`/v1/actions?limit=200&${query}`)).body.actions.map(({ id }: { id: string }) => id);
    const all: string[] = actions.map(({ id }: { id: string }) => id);
    const [since, until] = [await of(`since=${middle}`), await of(`until=${middle}`)];
    expect([...since, ...until]).toEqual(all);
    expect(since).toHaveLength(times.filter((time) => time >= middle).length);
    expect(await of(`since=${middle}&until=${middle}`)).toEqual([]);
    const inPairs = await get(`/v1/actions?limit=1&since=${middle}&type=generate`);
    expect(inPairs.body.count).toBe(1);
  });

  it.each([
    ['/v1/entities?name=%00', 400],
    ['/v1/actions?since=0000-01-01T00:00:00Z', 400],
    ['/v1/actions?until=0001-01-01T00:00:00%2B01:00', 400],
    ['/v1/actions?since=2026-01-01T00:00:00%2B23:59', 200],
  ])('%s: a value at the limit of the range of the database gets %i', async (path, status) => {
    expect((await get(path)).status).toBe(status);
  });

  it('finds entities by their full name, but no entity whose name was erased', async () => {
    const name = 'Zoë “Z” O’Hara';
    for (const id of ['zoe', 'another zoe']) await post('/v1/entity', { id, role: 'human', name });
    const find = async (query: string) =>
      (await get(`/v1/entities?${query}`)).body.entities.map(({ id }: { id: string }) => id);
    expect(await find(`name=${encodeURIComponent(name)}`)).toEqual(['another zoe', 'zoe']);
    expect(await find(`name=${encodeURIComponent(name)}&role=ai`)).toEqual([]);
    expect(await find('name=Zo')).toEqual([]);
    await service.send('/v1/entity/zoe/personal-data', { method: 'DELETE' });
    expect(await find(`name=${encodeURIComponent(name)}`)).toEqual(['another zoe']);
  });

  it.each([
    'since=yesterday',
    'until=2026-02-30T00:00:00Z',
    'cursor=nonsense',
    'cursor=',
    'limit=0',
    'limit=201',
    'limit=x',
    'offset=-1',
    'nosuch=1',
    'type=destroy',
    'limit=1&limit=2',
  ])('400 InvalidField: /v1/actions?%s', async (query) => {
    const { status, body } = await get(`/v1/actions?${query}`);
    expect([status, body.error.code]).toEqual([400, 'InvalidField']);
  });

  it('400 InvalidField: a cursor of another list, a tampered cursor, or a cursor together with an offset', async () => {
    const { nextCursor } = (await get('/v1/actions?limit=1')).body;
    expect((await get(`/v1/entities?cursor=${nextCursor}`)).status).toBe(400);
    expect((await get(`/v1/actions?cursor=${nextCursor.slice(0, -2)}`)).status).toBe(400);
    expect((await get(`/v1/actions?cursor=${nextCursor}&offset=1`)).status).toBe(400);
  });

  const ID = '0198c0de-0000-7000-8000-000000000001';
  it.each([
    ...['2024-02-30T00:00:00', '2023-02-29T00:00:00', '2024-04-31T00:00:00', '0000-01-01T00:00:00'].map(
      (at) => [`${at}.000000Z`, ID],
    ),
    ['2024-01-01T24:00:00.000000Z', ID],
    ['2024-01-01T00:00:60.000000Z', ID],
    ['2024-01-01T00:00:00.000000Z', '\ud800'],
    ['2024-01-01T00:00:00.000000Z', '\0'],
    ['2024-01-01T00:00:00.000000Z', 'x'.repeat(257)],
  ])('400 InvalidField: a forged cursor at %j, %j', async (at, id) => {
    for (const list of ['entities', 'actions', 'attributions']) {
      const cursor = Buffer.from(JSON.stringify([list, at, id])).toString('base64url');
      const { status, body } = await get(`/v1/${list}?cursor=${cursor}`);
      expect([status, body.error?.code], list).toEqual([400, 'InvalidField']);
    }
  });

  it('shows another project nothing in the lists of entities, actions and attributions', async () => {
    for (const list of ['entities', 'actions', 'attributions']) {
      const answer = await service.send(`/v1/${list}`, { headers: { authorization: `Bearer ${OTHER_KEY}` } });
      expect(await answer.json()).toEqual({ [list]: [], count: 0, nextCursor: null });
    }
  });

  it('returns a whole session with the oldest record first, and an empty session for an unknown id', async () => {
    const { body } = await get(`/v1/session/${encodeURIComponent('second/session')}/provenance`);
    expect(body).toMatchObject({ sessionId: 'second/session', complete: true });
    expect(body.summary).toEqual({ actions: 15, resources: 0, entities: 2, attributions: 15 });
    const times = body.actions.map(({ recordedAt }: { recordedAt: string }) => recordedAt);
    expect([...times].sort()).toEqual(times);
    const none = await get('/v1/session/none/provenance');
    expect(none.body).toMatchObject({ sessionId: 'none', actions: [], summary: { actions: 0 } });
  });

  it('patch 200: changes name and metadata; null removes a value', async () => {
    const { body: made } = await post('/v1/entity', { role: 'human', name: 'Dora', metadata: { a: 1 } });
    const patch = async (body: unknown) => {
      const path = `/v1/entity/${encodeURIComponent(made.id)}`;
      const answer = await service.send(path, { ...jsonPost(body), method: 'PATCH' });
      return { status: answer.status, body: await answer.json() };
    };
    expect((await patch({ name: 'Dora D.', wallet: '0x1' })).body).toMatchObject({
      name: 'Dora D.',
      wallet: '0x1',
    });
    expect((await patch({ metadata: null })).body).not.toHaveProperty('metadata');
    const frozen = await patch({ wallet: '0x2' });
    expect([frozen.status, frozen.body.error.details.fields]).toEqual([409, ['wallet']]);
    expect((await patch({})).status).toBe(422);
    expect((await patch({ role: 'ai' })).status).toBe(422);
    const stored = (await get(`/v1/entity/${encodeURIComponent(made.id)}`)).body;
    expect(stored).toEqual({
      id: made.id,
      role: 'human',
      name: 'Dora D.',
      wallet: '0x1',
      createdAt: stored.createdAt,
    });
    const missing = await service.send('/v1/entity/none', { ...jsonPost({ name: 'x' }), method: 'PATCH' });
    expect(missing.status).toBe(404);
  });

  it('patch: a caller finds a renamed entity by the name that its id derives from', async () => {
    const known = { role: 'human', name: 'Old Name' };
    const { body: made } = await post('/v1/entity', known);
    const path = `/v1/entity/${encodeURIComponent(made.id)}`;
    await service.send(path, { ...jsonPost({ name: 'New Name' }), method: 'PATCH' });
    const again = await post('/v1/entity', known);
    expect([again.status, again.body.id, again.body.entity.name]).toEqual([200, made.id, 'New Name']);
    const uploaded = await service.upload(`by who was renamed`, { entity: known });
    expect([uploaded.status, (await uploaded.json()).entityId]).toEqual([201, made.id]);
    const byId = await post('/v1/entity', { id: made.id, ...known });
    expect([byId.status, byId.body.error.details.fields]).toEqual([409, ['name']]);
  });

  it('concurrent patches of one entity all take effect', async () => {
    await post('/v1/entity', { id: 'busy', role: 'ai' });
    const fields = [{ name: 'Busy' }, { metadata: { a: 1 } }, { wallet: '0x3' }];
    await Promise.all(
      fields.map((body) => service.send('/v1/entity/busy', { ...jsonPost(body), method: 'PATCH' })),
    );
    expect((await get('/v1/entity/busy')).body).toMatchObject(Object.assign({}, ...fields));
  });

  it('follows a history in both directions up to the depth and limit, and reports when there is more', async () => {
    const cids = Array.from({ length: 7 }, freshCid);
    for (const [index, cid] of cids.entries()) {
      await post('/v1/action', {
        performedBy: 'ann',
        type: 'transform',
        inputCids: cids.slice(Math.max(index - 1, 0), index),
        outputCids: [cid],
      });
    }
    const of = async (query: string) => {
      const { body } = await get(`/v1/bundle/${cids[3]}?${query}`);
      return [body.actions.length, body.complete];
    };
    expect(await of('direction=ancestors')).toEqual([4, true]);
    expect(await of('direction=descendants')).toEqual([3, true]);
    expect(await of('direction=both')).toEqual([7, true]);
    expect(await of('depth=2')).toEqual([2, false]);
    expect(await of('depth=4')).toEqual([4, true]);
    expect(await of('direction=both&depth=1')).toEqual([2, false]);
    expect(await of('direction=both&depth=3')).toEqual([6, false]);
    expect(await of('direction=both&limit=5')).toEqual([5, false]);
    expect(await of('direction=descendants&limit=3')).toEqual([3, true]);

    const { body: graph } = await get(`/v1/graph/${cids[3]}?direction=both`);
    const ids = new Set(graph.nodes.map(({ id }: { id: string }) => id));
    expect(ids.size).toBe(7 + 7 + 1);
    for (const { from, to } of graph.edges) expect([ids.has(from), ids.has(to)]).toEqual([true, true]);
    expect((await get(`/v1/graph/${freshCid()}`)).status).toBe(404);
  });

  it('the list of entities of the ProvenanceKit API has no cursor, so its pages do not end early', async () => {
    const metadata = { large: 'x'.repeat(60_000) };
    const entities = Array.from({ length: 25 }, (_, n) => ({
      id: `large ${n}`,
      role: 'organization',
      metadata,
    }));
    for (const entity of entities) expect((await post('/v1/entity', entity)).status).toBe(201);
    const idsOf = async (query: string): Promise<string[]> => {
      const { body } = await get(`/entities?role=organization&${query}`);
      expect(body.count).toBe(body.entities.length);
      return body.entities.map(({ id }: { id: string }) => id);
    };
    const newest = entities.map(({ id }) => id).reverse();
    expect(await idsOf('limit=25')).toEqual(newest);
    expect(await idsOf('limit=200')).toEqual([...newest, 'lab']);
    expect(await idsOf('limit=20&offset=4')).toEqual(newest.slice(4, 24));
  });

  it('the list of entities of the ProvenanceKit API ends at about 4 MiB', async () => {
    const toLarge = (n: number) => ({
      id: `larger ${n}`,
      role: 'human',
      metadata: { large: 'x'.repeat(60_000) },
    });
    const entities = Array.from({ length: 90 }, (_, n) => toLarge(n));
    for (let n = 0; n < 90; n += 15) await post('/v1/batch', { entities: entities.slice(n, n + 15) });
    const list = async (offset: number) => (await get(`/entities?limit=90&offset=${offset}`)).body.entities;
    const first = await list(0);
    expect(first.length).toBeLessThan(90);
    const ids = [...first, ...(await list(first.length))].slice(0, 90).map(({ id }: { id: string }) => id);
    expect(ids).toEqual(entities.map(({ id }) => id).reverse());
  });

  it('a page of large records ends at about 1 MiB, and its cursor leads to the remaining records', async () => {
    const large = 'x'.repeat(300_000);
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      const action = {
        performedBy: 'lab',
        inputCids: [],
        outputCids: [],
        extensions: { 'ext:large@1.0.0': { large } },
      };
      ids.unshift((await post('/v1/action', action)).body.actionId);
    }
    const pages: string[][] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { body } = await get(`/v1/actions?performedBy=lab&limit=200${query}`);
      pages.push(body.actions.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor;
    } while (cursor !== null);
    expect(pages.map(({ length }) => length)).toEqual([3, 2]);
    expect(pages.flat()).toEqual(ids);
  });
});
