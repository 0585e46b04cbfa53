import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANY_ENGINE, jsonPost, OTHER_KEY, type Service, startService } from '../support/service.js';

const AS_TWO = { authorization: `Bearer ${OTHER_KEY}` };

describe('vectors of callers', () => {
  let service: Service;
  let cids: string[];
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    cids = [];
    for (const content of ['one', 'two', 'three'])
      cids.push((await (await service.upload(content)).json()).cid);
  });
  afterAll(() => service.stop());

  const post = async (target: string, json: unknown, headers: Record<string, string> = {}) => {
    const answer = await service.send(target, jsonPost(json, headers));
    return { status: answer.status, body: await answer.json() };
  };
  const give = (cid: string | undefined, vector: unknown, model = 'clip', headers = {}) =>
    post(`/v1/resource/${cid}/vector`, { model, vector }, headers);
  const search = (vector: unknown, model = 'clip', headers = {}) =>
    post('/v1/search/vector', { model, vector }, headers);

  it('find content by the direction of a vector, not its length, nearest first (201, then 200)', async () => {
    expect(await give(cids[0], [3, 4, 0])).toEqual({
      status: 201,
      body: { cid: cids[0], method: 'given/clip', dimensions: 3 },
    });
    await give(cids[1], [0, 0, 1]);
    const { body } = await search([300, 400, 10]);
    expect(body).toEqual({
      verdict: 'auto',
      matches: [
        { cid: cids[0], type: 'text', method: 'given/clip', score: 1 },
        { cid: cids[1], type: 'text', method: 'given/clip', score: expect.closeTo(0.02, 2) },
      ],
    });
  });

  it('replace the earlier vector of the same model (201)', async () => {
    await give(cids[2], [1, 0], 'other');
    await give(cids[2], [0, 1], 'other');
    expect((await search([0, 1], 'other')).body.matches).toMatchObject([{ cid: cids[2], score: 1 }]);
  });

  it('are only compared within one model and one project', async () => {
    expect((await search([3, 4, 0], 'clop')).body).toEqual({ verdict: 'no-match', matches: [] });
    expect((await search([3, 4, 0], 'clip', AS_TWO)).body).toEqual({ verdict: 'no-match', matches: [] });
    const [theirs, none] = [
      await give(cids[0], [3, 4, 0], 'clip', AS_TWO),
      await give(`sha256:${'0'.repeat(64)}`, [3, 4, 0], 'clip', AS_TWO),
    ];
    expect([theirs.status, theirs.body.error.code]).toEqual([none.status, none.body.error.code]);
    expect(theirs.status).toBe(404);
  });

  it.each<[string, string]>([
    ['another length than the model has', '[1, 2]'],
    ['only zeros', '[0, 0, 0]'],
    ['no numbers', '[]'],
    ['infinity', '[1e999, 0, 0]'],
    ['numbers too large to be squared', '[1e200, 0, 0]'],
    ['NaN as text', '["NaN", 0, 0]'],
    ['null', '[null, 0, 0]'],
    ['more numbers than 4096', JSON.stringify(Array(4097).fill(1))],
  ])('with %s are rejected when they are stored and when they are searched (422)', async (_name, vector) => {
    for (const target of [`/v1/resource/${cids[0]}/vector`, '/v1/search/vector']) {
      const answer = await service.send(target, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: `{"model":"clip","vector":${vector}}`,
      });
      expect([answer.status, (await answer.json()).error.code]).toEqual([422, 'ValidationError']);
    }
    expect((await search([3, 4, 0])).body.matches[0]).toMatchObject({ cid: cids[0], score: 1 });
  });
});

describe('models of callers', () => {
  let service: Service;
  let cid: string;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE, { environment: { MAX_PROJECT_MODELS: '3' } });
    cid = (await (await service.upload('one')).json()).cid;
  });
  afterAll(() => service.stop());

  const give = async (model: string) => {
    const answer = await service.send(`/v1/resource/${cid}/vector`, jsonPost({ model, vector: [1, 0] }));
    return { status: answer.status, body: await answer.json() };
  };
  const countModels = async () => {
    const { provenance } = service.context.databases;
    const rows = await provenance.query(
      `select distinct method from provenance.descriptor where method like 'given/%'`,
    );
    return rows.length;
  };

  it('do not exceed MAX_PROJECT_MODELS in a project, also with concurrent requests (403)', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `model-${index}`);
    const given = await Promise.all(names.map(give));
    expect(given.map(({ status }) => status).toSorted()).toEqual([
      ...Array(3).fill(201),
      ...Array(9).fill(403),
    ]);
    expect(await countModels()).toBe(3);
    const [refused] = given.filter(({ status }) => status === 403);
    const { message, recovery, code, details } = refused?.body.error ?? {};
    expect(code).toBe('Forbidden');
    expect(message).toContain('MAX_PROJECT_MODELS');
    expect(recovery).toContain('MAX_PROJECT_MODELS');
    const used = names.filter((_, index) => given[index]?.status === 201);
    expect(details).toEqual({ limit: 'MAX_PROJECT_MODELS', value: 3, models: used.toSorted() });
    for (const model of used) expect((await give(model)).status).toBe(201);
  });

  it('that a project used before the limit still get vectors (201), and new models get none (403)', async () => {
    const { provenance } = service.context.databases;
    await provenance.query(
      `insert into provenance.descriptor (project_id, method, cid, embedding, signs, evidence, write_number)
       select d.project_id, 'given/earlier-' || n, d.cid, d.embedding, d.signs, d.evidence, 1000 + n
       from (select * from provenance.descriptor where method like 'given/%' limit 1) d, generate_series(1, 4) n`,
    );
    expect((await give('earlier-4')).status).toBe(201);
    expect((await give('newer')).status).toBe(403);
    expect(await countModels()).toBe(7);
  });
});
