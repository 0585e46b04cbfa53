import { createHash, randomBytes } from 'node:crypto';
import { distributeByWeight } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNamedProjectKey } from '../../src/access/create-key.js';
import { toText } from '../../src/platform/json-text.js';
import { createConverter } from '../../src/records/conversion/converter.js';
import { ANY_ENGINE, jsonPost, type Service, startService } from '../support/service.js';

const nameOf = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const cidsOf = (count: number) => Array.from({ length: count }, () => nameOf(randomBytes(8)));

describe('distribution', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    for (const [id, wallet] of [
      ['ann', '0xa'],
      ['bo', '0xb'],
      ['cy', undefined],
    ] as const)
      await service.send('/v1/entity', jsonPost({ id, role: 'human', wallet }));
  });
  afterAll(() => service.stop());

  const act = async (performedBy: string, inputCids: string[], outputCids: string[], more = {}) => {
    const answer = await service.send(
      '/v1/action',
      jsonPost({ performedBy, inputCids, outputCids, ...more }),
    );
    expect(answer.status).toBe(201);
    return (await answer.json()).actionId as string;
  };
  const attribute = async (body: object) =>
    expect((await service.send('/v1/attribution', jsonPost(body))).status).toBe(201);
  const ask = async (path: string, init?: RequestInit) => {
    const answer = await service.send(`/v1/distribution/${path}`, init);
    return { status: answer.status, body: await answer.json() };
  };
  const sharesOf = ({ shares }: { shares: { entityId: string; share: number }[] }) =>
    shares.map(({ entityId, share }) => `${entityId} ${share}`);

  it('a single creator without weights gets all, and the answer reports the default', async () => {
    const { body } = await (async () => {
      const uploaded = await (await service.upload('sole', { entity: { id: 'ann', role: 'human' } })).json();
      return ask(uploaded.cid);
    })();
    expect(body).toMatchObject({
      policy: 'direct',
      total: 10_000,
      allocated: 10_000,
      defaultUsed: true,
      shares: [{ entityId: 'ann', share: 10_000, wallet: '0xa', earned: [{ cid: body.cid, units: 10_000 }] }],
      contents: [{ cid: body.cid, distance: 0, basis: 'default' }],
      withoutWallet: [],
      complete: true,
    });
  });

  it('a correction replaces the corrected step and its weight, also in a bundle that the caller sends', async () => {
    const extensions = (actionId: string) => ({ 'ext:correction@1.0.0': { actionId } });
    const first = await (
      await service.upload('of ann', { entity: { id: 'ann', role: 'human' }, attribution: { weight: 5 } })
    ).json();
    const second = await act('bo', [], [first.cid], { extensions: extensions(first.actionId) });
    expect(sharesOf((await ask(first.cid)).body)).toEqual(['bo 10000']);
    await act('cy', [], [first.cid], { extensions: extensions(second) });
    const { body } = await ask(first.cid);
    expect(sharesOf(body)).toEqual(['cy 10000']);
    const bundle = await (await service.send(`/v1/bundle/${first.cid}`)).json();
    expect((await ask('preview', jsonPost({ bundle }))).body).toEqual(body);
  });

  it('content without a recorded creation credits the entities that are attributed to it', async () => {
    const [found, made] = cidsOf(2) as [string, string];
    await act('bo', [found], [made]);
    await attribute({ entityId: 'ann', resourceCid: found, role: 'creator' });
    const { body } = await ask(`${made}?policy=parents&decay=1`);
    expect(sharesOf(body)).toEqual(['ann 5000', 'bo 5000']);
    expect(body.shares[0].earned).toEqual([{ cid: body.contents[1].cid, units: 5000 }]);
    expect(body.complete).toBe(true);
  });

  it('recorded weights count as exact fractions; an entity with no wallet keeps its share and is listed', async () => {
    const [cid] = cidsOf(1) as [string];
    const actionId = await act('ann', [], [cid]);
    for (const [entityId, weight] of [
      ['bo', '1/3'],
      ['cy', 0.5],
    ] as const)
      await attribute({ entityId, actionId, role: 'contributor', weight });
    const { body } = await ask(`${cid}?total=10`);
    expect(sharesOf(body)).toEqual(['cy 6', 'bo 4', 'ann 0']);
    expect(body).toMatchObject({
      defaultUsed: false,
      withoutWallet: ['cy'],
      contents: [{ basis: 'weights' }],
    });
  });

  it('policies reach the parents or all ancestors, count a shared ancestor once, and name the path to it', async () => {
    const [a, b, c, d] = cidsOf(4) as [string, string, string, string];
    await act('ann', [], [a]);
    await act('bo', [a], [b]);
    await act('bo', [a], [c]);
    await act('cy', [b, c], [d]);
    expect(sharesOf((await ask(`${d}?policy=parents&total=8`)).body)).toEqual(['bo 4', 'cy 4']);
    const { body } = await ask(`${d}?policy=all-ancestors&total=9`);
    expect(sharesOf(body)).toEqual(['bo 4', 'cy 4', 'ann 1']);
    expect(body.contents.map(({ distance }: { distance: number }) => distance)).toEqual([0, 1, 1, 2]);
    expect(body).toMatchObject({ decay: '1/2', complete: true });
    const [, , , last] = body.contents;
    expect(body.contents.map(({ cid }: { cid: string }) => cid)).toContain(last.from.cid);
    expect(sharesOf((await ask(`${d}?policy=all-ancestors&total=3&depth=1&decay=1`)).body)).toEqual([
      'bo 2',
      'cy 1',
    ]);
  });

  it('the answer is complete even when the policy does not reach all ancestors', async () => {
    const chain = cidsOf(6);
    for (const [index, cid] of chain.entries())
      await act('ann', chain.slice(Math.max(0, index - 1), index), [cid]);
    for (const query of ['', '?policy=parents', '?policy=all-ancestors&depth=2', '?policy=all-ancestors'])
      expect((await ask(`${chain.at(-1)}${query}`)).body.complete).toBe(true);
  });

  it('a marked copy has the shares of its original, even if the policy reaches only the nearest actions', async () => {
    const chain = cidsOf(5) as [string, string, string, string, string];
    const [, , , file, copy] = chain;
    for (const [index, cid] of chain.slice(0, -1).entries())
      await act('ann', chain.slice(Math.max(0, index - 1), index), [cid]);
    const mark = { aiDisclosure: 'ai_generated', generator: { name: 'painter-2' }, markedCid: file };
    await act('bo', [file], [copy], { extensions: { 'ext:mark@1.0.0': mark } });
    for (const query of ['', '?policy=parents', '?policy=all-ancestors&depth=1']) {
      const { body } = await ask(`${copy}${query}`);
      expect([sharesOf(body), body.complete]).toEqual([['ann 10000'], true]);
    }
    const bundle = await (await service.send(`/v1/bundle/${copy}`)).json();
    const preview = (await ask('preview', jsonPost({ bundle, policy: 'parents' }))).body;
    expect(preview).toEqual((await ask(`${copy}?policy=parents`)).body);
  });

  it('content with an unknown maker credits nobody, and nobody gets a share', async () => {
    const [cid] = cidsOf(1) as [string];
    await act('ann', [], [cid], { type: 'reference' });
    expect((await ask(cid)).body).toMatchObject({
      allocated: 0,
      shares: [],
      contents: [{ basis: 'nobody' }],
    });
  });

  it('an attribution that names content by an alias counts for this content', async () => {
    const bytes = randomBytes(2 ** 20 + 11);
    const { cid } = await (await service.upload(bytes, { entity: { id: 'ann', role: 'human' } })).json();
    await attribute({ entityId: 'bo', resourceCid: nameOf(bytes), role: 'creator' });
    expect(sharesOf((await ask(cid)).body)).toEqual(['ann 5000', 'bo 5000']);
  });

  it('a preview of a bundle matches the distribution of the content, and records no attribution', async () => {
    const [a, b] = cidsOf(2) as [string, string];
    await act('ann', [], [a]);
    await act('bo', [a], [b]);
    const bundle = await (await service.send(`/v1/bundle/${b}`)).json();
    const options = { policy: 'all-ancestors', total: 1000, decay: '0.9' };
    const counts = async () => (await service.send('/v1/attributions?limit=200')).text();
    const before = await counts();
    const { status, body } = await ask('preview', jsonPost({ bundle, ...options }));
    expect(status).toBe(200);
    expect(body).toEqual((await ask(`${b}?${new URLSearchParams({ ...options, total: '1000' })}`)).body);
    expect(await counts()).toBe(before);
  });

  it('a preview of a long bundle keeps all records, and names each invalid one by its position', async () => {
    const [cid, input] = cidsOf(2) as [string, string];
    const actions = Array.from({ length: 40 }, (_, index) => ({
      id: `action ${index}`,
      inputCids: [input],
      outputCids: [cid],
    }));
    const attributions = actions.map(({ id }, index) => ({
      entityId: `maker ${index}`,
      actionId: id,
      role: 'creator',
    }));
    const sent = { cid, actions, attributions, aliases: {} };
    const { status, body } = await ask('preview', jsonPost({ bundle: sent }));
    expect([status, body.shares?.length]).toEqual([200, 40]);
    const invalid = attributions.map((one, index) => ([3, 35].includes(index) ? { ...one, role: 7 } : one));
    const refused = await ask(
      'preview',
      jsonPost({ bundle: { ...sent, attributions: invalid }, decay: '2' }),
    );
    expect(refused.status).toBe(422);
    const paths = refused.body.error.details.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(
      expect.arrayContaining(['bundle.attributions.3.role', 'bundle.attributions.35.role']),
    );
    expect(paths.join()).not.toMatch(/bundle\.(?!attributions\.(3|35)\.)/);
  });

  it.each(['actions', 'attributions', 'entities'])(
    'a preview with more than 10,000 %s is rejected before their check',
    async (list) => {
      const records = Array.from({ length: 150_000 }, () => 1);
      const [cid] = cidsOf(1);
      const bundle = { cid, actions: [], attributions: [], [list]: records };
      const { status, body } = await ask('preview', jsonPost({ bundle }));
      expect(status).toBe(422);
      expect(body.error.details).toEqual([
        { path: `bundle.${list}`, message: expect.stringContaining('10000') },
      ]);
    },
  );

  it('413: a preview with actions that name more contents than MAX_BATCH_CONTENTS', async () => {
    const [cid = ''] = cidsOf(1);
    const inputCids = Array.from({ length: 2_000 }, () => cid);
    const actions = Array.from({ length: 6 }, (_, index) => ({ id: `${index}`, inputCids }));
    const { status, body } = await ask('preview', jsonPost({ bundle: { cid, actions, attributions: [] } }));
    expect([status, body.error.code]).toEqual([413, 'PayloadTooLarge']);
    expect(body.error.recovery).toContain('MAX_BATCH_CONTENTS');
  });

  it('a preview of weights needs no records, and reads no wallet', async () => {
    const weights = [
      { entityId: 'ann', weight: 1 },
      { entityId: 'nobody', weight: '2' },
    ];
    expect((await ask('preview', jsonPost({ weights, total: 10 }))).body).toEqual({
      total: 10,
      allocated: 10,
      defaultUsed: false,
      shares: [
        { entityId: 'nobody', share: 7 },
        { entityId: 'ann', share: 3 },
      ],
      withoutWallet: ['nobody', 'ann'],
    });
  });

  it('a worker thread distributes precise weights of many entities, the main thread those of few', async () => {
    const { converter } = service.context.records;
    const precise = (count: number, digits: number) =>
      Array.from({ length: count }, (_, place) => ({
        entityId: `e${place}`,
        weight: `1/${10n ** BigInt(digits) + BigInt(2 * place + 1)}`,
      }));
    const countThreaded = async (weights: object[]) => {
      const before = converter.counts.inThread;
      const answer = await ask('preview', jsonPost({ weights }));
      return { ...answer, inThread: converter.counts.inThread - before };
    };
    expect(await countThreaded(precise(3, 62))).toMatchObject({ status: 200, inThread: 0 });
    const many = precise(200, 62);
    expect(await countThreaded(many)).toEqual({
      ...{ status: 200, inThread: 1 },
      body: JSON.parse(JSON.stringify(distributeByWeight(many))),
    });
    const refused = await countThreaded(precise(2_000, 62));
    expect(refused).toMatchObject({ status: 422, inThread: 1 });
    expect(JSON.stringify(refused.body)).toContain('fewer digits');
  });

  it.each<[string, { actions: number; outputs: number; credits: number; decay?: string }, number]>([
    ['a short decay', { actions: 20, outputs: 2, credits: 2, decay: '0.9' }, 0],
    ['the default decay', { actions: 100, outputs: 10, credits: 10 }, 0],
    ['a decay of 64 digits', { actions: 20, outputs: 2, credits: 2, decay: `0.${'9'.repeat(63)}7` }, 1],
    ['many credits', { actions: 1, outputs: 40, credits: 40 }, 1],
  ])('a preview uses a worker thread only if its shares need much work: %s', async (_, given, inThread) => {
    const { converter } = service.context.records;
    const chain = cidsOf(given.actions);
    const first = { id: 'first', inputCids: [], outputCids: [chain[0], ...cidsOf(given.outputs - 1)] };
    const actions = chain.map((cid, at) =>
      at === 0 ? first : { id: `a${at}`, inputCids: [chain[at - 1]], outputCids: [cid] },
    );
    const attributions = Array.from({ length: given.credits }, (_, at) => ({
      entityId: `e${at}`,
      actionId: 'first',
      role: 'creator',
    }));
    const bundle = { cid: chain.at(-1), actions, attributions };
    const before = converter.counts.inThread;
    const asked = { bundle, policy: 'all-ancestors', decay: given.decay };
    expect((await ask('preview', jsonPost(asked))).status).toBe(200);
    expect(converter.counts.inThread - before).toBe(inThread);
  });

  it('shares that take too long get 504, and the next shares are computed', async () => {
    const converter = createConverter({ sharesMs: 1 });
    const to = { sharesByWeight: { total: 7 } };
    const text = JSON.stringify([{ entityId: 'ann' }]);
    try {
      const refused = await converter.convert('project', to, text).catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: 'Timeout', status: 504 });
      expect(refused).toMatchObject({ recovery: expect.stringContaining('fewer digits') });
      expect(JSON.parse(toText(await converter.convert('project', 'cids', '{"resources":[]}')))).toEqual([]);
    } finally {
      await converter.close();
    }
  });

  it('a read key may request a distribution and a preview', async () => {
    const reader = { projectName: 'one', name: 'reader', permission: 'read' } as const;
    const { key } = await createNamedProjectKey(service.context.databases.control, reader);
    const authorization = `Bearer ${key}`;
    const [cid] = cidsOf(1) as [string];
    await act('ann', [], [cid]);
    expect((await ask(cid, { headers: { authorization } })).status).toBe(200);
    const weights = [{ entityId: 'ann' }];
    expect((await ask('preview', jsonPost({ weights }, { authorization }))).status).toBe(200);
  });

  it.each([
    ['depth', 'policy=parents&depth=2', 'InvalidDepth'],
    ['decay', 'policy=direct&decay=1', 'InvalidDecay'],
    ['decay', 'policy=all-ancestors&decay=3/2', 'InvalidDecay'],
  ])('400: an invalid %s, as in %s', async (path, query, reason) => {
    const [cid] = cidsOf(1) as [string];
    await act('ann', [], [cid]);
    const { status, body } = await ask(`${cid}?${query}`);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'InvalidField', details: [{ path, reason }] });
  });

  it('422: a bundle with content as its own ancestor, or invalid weights', async () => {
    const [x, y] = cidsOf(2) as [string, string];
    const made = (id: string, input: string, output: string) => ({
      id,
      inputCids: [input],
      outputCids: [output],
    });
    const bundle = { cid: x, actions: [made('1', y, x), made('2', x, y)], attributions: [] };
    const cyclic = await ask('preview', jsonPost({ bundle, policy: 'all-ancestors' }));
    expect(cyclic.status).toBe(422);
    expect(cyclic.body.error.details).toMatchObject([{ reason: 'CyclicBundle' }]);
    for (const weight of [-1, 'NaN', '1/0', null, '1e9']) {
      const { status, body } = await ask('preview', jsonPost({ weights: [{ entityId: 'a', weight }] }));
      expect([status, body.error.details[0].path]).toEqual([422, 'weights.0.weight']);
    }
  });
});
