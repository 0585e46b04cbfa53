import { createHash, randomBytes } from 'node:crypto';
import { createContentHasher } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANY_ENGINE, jsonPost, type Service, startService } from '../support/service.js';

const nameOf = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

describe('lineage and bytes', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    await service.send('/v1/entity', jsonPost({ id: 'ann', role: 'human' }));
  });
  afterAll(() => service.stop());

  const act = (inputs: string[], outputs: string[], type = 'transform') =>
    service.send(
      '/v1/action',
      jsonPost({ performedBy: 'ann', type, inputCids: inputs, outputCids: outputs }),
    );
  const bundleOf = async (cid: string, query = '') => {
    const answer = await service.send(`/v1/bundle/${cid}${query}`);
    return { status: answer.status, body: await answer.json() };
  };
  const cidsOf = (count: number) => Array.from({ length: count }, () => nameOf(randomBytes(8)));

  it('a bundle contains every ancestor once, also a shared ancestor, oldest first, and nothing else', async () => {
    const [a, b, c, d, stranger] = cidsOf(5) as [string, string, string, string, string];
    await act([], [a], 'create');
    await act([a], [b]);
    await act([a], [c]);
    await act([b, c], [d], 'aggregate');
    await act([d], [stranger]);
    const { body } = await bundleOf(d);
    expect(body.actions.map(({ type }: { type: string }) => type)).toEqual([
      'create',
      'transform',
      'transform',
      'aggregate',
    ]);
    expect(body.resources).toHaveLength(4);
    expect(body.attributions).toHaveLength(4);
    expect(body.entities).toHaveLength(1);
    expect(body.complete).toBe(true);
  });

  it('a truncated bundle has `complete: false`, and contains the nearest actions', async () => {
    const chain = cidsOf(8);
    for (const [index, cid] of chain.entries()) await act(chain.slice(index - 1, index), [cid]);
    const { body } = await bundleOf(chain.at(-1) ?? '', '?limit=3');
    expect(body).toMatchObject({ complete: false, truncatedAt: 3 });
    expect(body.actions).toHaveLength(3);
    expect(body.actions[2].outputCids).toEqual([body.cid]);
  });

  it('200: the bundle of a CID that is only an input has no actions; its bytes can be uploaded later', async () => {
    const text = `known as an input first`;
    const cid = nameOf(Buffer.from(text));
    await act([cid], cidsOf(1));
    const before = await bundleOf(cid);
    expect(before.status).toBe(200);
    expect(before.body).toMatchObject({ actions: [], resources: [], complete: true });
    const uploaded = await service.upload(text);
    expect(uploaded.status).toBe(201);
    expect((await bundleOf(cid)).body.actions).toHaveLength(1);
  });

  it('content of two chunks that is referenced by its SHA-256 is joined with its later upload', async () => {
    const bytes = randomBytes(2 ** 20 + 5);
    const alias = nameOf(bytes);
    const [derived] = cidsOf(1) as [string];
    await act([alias], [derived]);
    const uploaded = await (await service.upload(bytes)).json();
    expect(uploaded.cid).toMatch(/^bafybei/);
    const { body } = await bundleOf(derived);
    expect(body.actions.map(({ id }: { id: string }) => id)).toContain(uploaded.actionId);
    expect((await bundleOf(alias)).body.cid).toBe(uploaded.cid);
    const again = await service.upload(bytes);
    expect(again.status).toBe(409);
  });

  it('content recorded as an output under its SHA-256 keeps its first action after an upload', async () => {
    const bytes = randomBytes(2 ** 20 + 6);
    const alias = nameOf(bytes);
    const first = await (await act([], [alias], 'reference')).json();
    const uploaded = await (await service.upload(bytes)).json();
    const resource = await (await service.send(`/v1/resource/${alias}`)).json();
    expect(resource).toMatchObject({
      cid: uploaded.cid,
      rootAction: first.actionId,
      state: 'claimed',
      size: bytes.length,
    });
    expect((await bundleOf(alias)).body.actions).toHaveLength(2);
  });

  it('422: content cannot become its own ancestor through one of its aliases', async () => {
    const direct = randomBytes(2 ** 20 + 7);
    const itself = { entity: { role: 'human', name: 'Ann' }, action: { inputCids: [nameOf(direct)] } };
    expect((await service.upload(direct, itself)).status).toBe(422);

    const bytes = randomBytes(2 ** 20 + 8);
    const hasher = createContentHasher();
    hasher.update(bytes);
    const { cid } = hasher.finish();
    const [between] = cidsOf(1) as [string];
    await act([nameOf(bytes)], [between]);
    expect((await act([between], [cid])).status).toBe(201);
    const refused = await service.upload(bytes);
    expect([refused.status, (await refused.json()).error.code]).toEqual([422, 'ValidationError']);
    expect((await service.send(`/v1/resource/${cid}/content`)).status).toBe(404);
  });

  it('the state `claimed`, the creator and the type survive when two identifiers become one content', async () => {
    const bytes = randomBytes(2 ** 20 + 9);
    const hasher = createContentHasher();
    hasher.update(bytes);
    const { cid } = hasher.finish();
    const claim = {
      performedBy: 'ann',
      type: 'create',
      outputCids: [nameOf(bytes)],
      resourceType: 'dataset',
    };
    const { actionId } = await (await service.send('/v1/action', jsonPost(claim))).json();
    await act([], [cid], 'reference');
    await service.upload(bytes, { entity: { role: 'ai', name: 'Bo' }, action: { type: 'reference' } });
    expect(await (await service.send(`/v1/resource/${cid}`)).json()).toMatchObject({
      state: 'claimed',
      createdBy: 'ann',
      rootAction: actionId,
      type: 'dataset',
      size: bytes.length,
    });
  });

  it('a bundle maps the identifiers in its actions to the CIDs of the content', async () => {
    const bytes = randomBytes(2 ** 20 + 10);
    const [derived] = cidsOf(1) as [string];
    const action = await (await act([nameOf(bytes)], [derived])).json();
    const { cid } = await (await service.upload(bytes)).json();
    const { body } = await bundleOf(derived);
    const [named] = action.action.inputCids;
    expect(body.aliases).toEqual({ [named]: cid });
    const graph = await (await service.send(`/v1/graph/${derived}`)).json();
    expect(graph.edges).toContainEqual({
      from: `res:${cid}`,
      to: `act:${action.actionId}`,
      type: 'consumes',
    });
  });

  it('a bundle maps the identifiers in its attributions to the CIDs of the content', async () => {
    const bytes = randomBytes(2 ** 20 + 11);
    const { cid } = await (await service.upload(bytes)).json();
    const said = { entityId: 'ann', resourceCid: nameOf(bytes), role: 'contributor' };
    const { attribution } = await (await service.send('/v1/attribution', jsonPost(said))).json();
    expect(attribution.resourceCid).not.toBe(cid);
    expect((await bundleOf(cid)).body.aliases).toEqual({ [attribution.resourceCid]: cid });
  });

  it('a later reference never removes the known creator of content', async () => {
    const [cid] = cidsOf(1) as [string];
    await act([], [cid], 'generate');
    await act([], [cid], 'reference');
    const resource = await (await service.send(`/v1/resource/${cid}`)).json();
    expect(resource).toMatchObject({ state: null, createdBy: 'ann' });
  });

  it('a history of more than 32 MiB of JSON is truncated at this size, with `complete: false`', async () => {
    const [cid] = cidsOf(1) as [string];
    const text = 'x'.repeat(900_000);
    for (let n = 0; n < 40; n++) {
      const body = { performedBy: 'ann', outputCids: [cid], extensions: { 'ext:big@1.0.0': { n, text } } };
      expect((await service.send('/v1/action', jsonPost(body))).status).toBe(201);
    }
    const { body } = await bundleOf(cid);
    expect(body.complete).toBe(false);
    expect(body.truncatedAt).toBe(body.actions.length);
    expect(body.actions.length).toBeGreaterThan(30);
    expect(body.actions.length).toBeLessThan(40);
  });

  const inBatches = async (count: number, run: (n: number) => Promise<Response>) => {
    for (let n = 0; n < count; n += 20) {
      const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => run(n + index)));
      for (const answer of answers) expect(answer.ok).toBe(true);
    }
  };

  it('large attributions and large entities count in the size limit of a bundle and of a session', async () => {
    const [one, two] = cidsOf(2) as [string, string];
    await act([], [one], 'create');
    await act([one], [two]);
    const text = 'x'.repeat(64_000);
    const attribution = { entityId: 'ann', resourceCid: one, extensions: { 'ext:big@1.0.0': { text } } };
    await inBatches(560, (n) =>
      service.send('/v1/attribution', jsonPost({ ...attribution, role: `ext:role${n}` })),
    );
    const { body } = await bundleOf(two);
    expect(body).toMatchObject({ complete: false, truncatedAt: 1 });
    expect(JSON.stringify(body).length).toBeLessThan(34 * 2 ** 20);
    const { body: alone } = await bundleOf(one);
    expect(alone).toMatchObject({ complete: false, truncatedAt: 1 });
    expect(alone.attributions.length).toBeGreaterThan(500);
    expect(alone.attributions.length).toBeLessThan(561);
    expect(await (await service.send(`/v1/graph/${one}`)).json()).toMatchObject({ complete: false });

    const [many] = cidsOf(1) as [string];
    const sessionId = `a large session`;
    await inBatches(560, async (n) => {
      const id = `changed-${n}`;
      await service.send('/v1/entity', jsonPost({ id, role: 'ai' }));
      const action = { performedBy: id, outputCids: [many], sessionId };
      await service.send('/v1/action', jsonPost(action));
      return service.send(`/v1/entity/${id}`, { ...jsonPost({ metadata: { text } }), method: 'PATCH' });
    });
    const session = await (
      await service.send(`/v1/session/${encodeURIComponent(sessionId)}/provenance`)
    ).json();
    for (const history of [(await bundleOf(many)).body, session]) {
      expect(history).toMatchObject({ complete: false, truncatedAt: history.actions.length });
      expect(history.actions.length).toBeGreaterThan(500);
      expect(history.actions.length).toBeLessThan(560);
      expect(history.entities).toHaveLength(history.actions.length);
      expect(history.attributions).toHaveLength(history.actions.length);
    }
    const page = await (await service.send('/v1/attributions?role=ext:role7')).json();
    expect(page.count).toBe(1);
  }, 120_000);

  it('returns bytes in whole and in part, with 200, 206, 304 and 416', async () => {
    const bytes = randomBytes(3 * 65_536 + 17);
    const { cid } = await (await service.upload(bytes)).json();
    const path = `/v1/resource/${cid}/content`;
    const range = async (value: string) => {
      const answer = await service.send(path, { headers: { range: value } });
      return { status: answer.status, header: answer.headers.get('content-range'), answer };
    };
    for (const [value, start, end] of [
      ['bytes=0-0', 0, 0],
      ['bytes=65530-65545', 65_530, 65_545],
      ['bytes=100-', 100, bytes.length - 1],
      ['bytes=-17', bytes.length - 17, bytes.length - 1],
      ['bytes=5-99999999', 5, bytes.length - 1],
    ] as const) {
      const { status, header, answer } = await range(value);
      expect([status, header]).toEqual([206, `bytes ${start}-${end}/${bytes.length}`]);
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes.subarray(start, end + 1))).toBe(true);
    }
    for (const value of [`bytes=${bytes.length}-`, 'bytes=-0']) {
      const { status, header } = await range(value);
      expect([status, header]).toEqual([416, `bytes */${bytes.length}`]);
    }
    for (const value of ['bytes=5-4', 'items=0-1', 'bytes=0-1,4-5', 'bytes=-', 'nonsense']) {
      const { status, answer } = await range(value);
      expect(status).toBe(200);
      await answer.arrayBuffer();
    }
    const whole = await service.send(path);
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
    const etag = whole.headers.get('etag') ?? '';
    expect((await service.send(path, { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await service.send(path, { headers: { 'if-none-match': '*' } })).status).toBe(304);
    const inCase = await service.send(path, { headers: { range: 'Bytes=0-0', 'if-range': etag } });
    expect(inCase.status).toBe(206);
    const changed = await service.send(path, { headers: { range: 'bytes=0-0', 'if-range': '"other"' } });
    expect(changed.status).toBe(200);
    const outside = await service.send(path, { headers: { range: `bytes=${bytes.length}-` } });
    expect(outside.headers.get('cache-control')).toBeNull();
    const head = await service.send(path, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
  });
});
