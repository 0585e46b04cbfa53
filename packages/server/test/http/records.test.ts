import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonPost, KEY, OTHER_KEY, RECORD_ENGINES, type Service, startService } from '../support/service.js';

const UNKNOWN_CID = 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku';
/** Nobody has the bytes of these contents. */
const NAMED = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => `sha256:${letter.repeat(64)}`) as [
  string,
  string,
  string,
  string,
  string,
  string,
];

describe.each(RECORD_ENGINES)('entities and actions, on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
    await service.send('/v1/entity', jsonPost({ id: 'studio:ann', role: 'human', name: 'Ann' }));
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

  it('entity 201 then 200: the same call gives the same entity, with and without an id', async () => {
    for (const input of [
      { id: 'lab:model-1', role: 'ai', name: 'Model 1', metadata: { n: null, deep: { a: [1, 'ü'] } } },
      { role: 'organization', name: 'The Lab', wallet: '0x01' },
    ]) {
      const first = await post('/v1/entity', input);
      const again = await post('/v1/entity', input);
      expect([first.status, again.status]).toEqual([201, 200]);
      expect(first.body).toMatchObject({ created: true, entity: input });
      expect(again.body).toEqual({ ...first.body, created: false });
      expect((await get(`/v1/entity/${encodeURIComponent(first.body.id)}`)).body).toEqual(first.body.entity);
    }
  });

  it('entity 201: each request without id and name creates a new entity', async () => {
    const [one, two] = [await post('/v1/entity', { role: 'ai' }), await post('/v1/entity', { role: 'ai' })];
    expect([one.status, two.status]).toEqual([201, 201]);
    expect(one.body.id).not.toBe(two.body.id);
  });

  it('entity ids derived from names differ between projects, so that an id reveals no name', async () => {
    const input = { role: 'human', name: 'Same Name' };
    const mine = await post('/v1/entity', input);
    const answer = await service.send(
      '/v1/entity',
      jsonPost(input, { authorization: `Bearer ${OTHER_KEY}` }),
    );
    expect((await answer.json()).id).not.toBe(mine.body.id);
  });

  it('entity 409 Conflict: fields that differ are listed and nothing is rewritten', async () => {
    const { status, body } = await post('/v1/entity', {
      id: 'studio:ann',
      role: 'human',
      name: 'Anna',
      wallet: '0x02',
    });
    expect(status).toBe(409);
    expect(body.error.details).toEqual({ entityId: 'studio:ann', fields: ['name', 'wallet'] });
    expect((await get('/v1/entity/studio:ann')).body.name).toBe('Ann');
  });

  it('entity 201: custom roles and any printable id', async () => {
    const input = { id: 'ns:名前/with ?#% blanks', role: 'ext:robot:arm' };
    expect((await post('/v1/entity', input)).status).toBe(201);
    expect((await get(`/v1/entity/${encodeURIComponent(input.id)}`)).body).toMatchObject(input);
  });

  it('action 201: stores the action of the request, and returns this action on read', async () => {
    const input = {
      type: 'generate',
      performedBy: 'studio:ann',
      inputCids: [NAMED[0]],
      outputCids: [NAMED[1]],
      sessionId: 'session 1',
      aiTool: { provider: 'Acme', model: 'painter-2' },
      extensions: { 'ext:note@1.0.0': { text: 'x', nothing: null } },
    };
    const { status, body } = await post('/v1/action', input);
    expect(status).toBe(201);
    expect(body.action).toMatchObject({
      type: 'generate',
      performedBy: 'studio:ann',
      sessionId: 'session 1',
      aiTool: input.aiTool,
      extensions: { ...input.extensions, 'ext:ai@1.0.0': input.aiTool },
    });
    expect(body.action.inputCids[0]).toMatch(/^bafkrei/);
    expect((await get(`/v1/action/${body.actionId}`)).body).toEqual(body.action);
    const resource = await get(`/v1/resource/${NAMED[1]}`);
    expect(resource.body).toMatchObject({ type: 'other', state: null, createdBy: 'studio:ann' });
    expect(resource.body.rootAction).toBe(body.actionId);
  });

  it('action 200: the same id with the same request is a replay; 409 with another request', async () => {
    const input = { id: '0198c0de-0000-7000-8000-00000000b001', performedBy: 'studio:ann' };
    const first = await post('/v1/action', input);
    const again = await post('/v1/action', { performedBy: 'studio:ann', id: input.id.toUpperCase() });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
    expect((await post('/v1/action', { ...input, type: 'verify' })).status).toBe(409);
  });

  it('action 404: the project has no entity with the id of the performer', async () => {
    const { status, body } = await post('/v1/action', { performedBy: 'nobody' });
    expect(status).toBe(404);
    expect(body.error.details).toEqual({ entityId: 'nobody' });
  });

  it('action 422: an output that is its own ancestor, however far up', async () => {
    const performedBy = 'studio:ann';
    const chain = async (from: string, to: string) =>
      post('/v1/action', { performedBy, type: 'transform', inputCids: [from], outputCids: [to] });
    expect((await chain(NAMED[2], NAMED[3])).status).toBe(201);
    expect((await chain(NAMED[3], NAMED[4])).status).toBe(201);
    for (const [from, to] of [
      [NAMED[2], NAMED[2]],
      [NAMED[3], NAMED[2]],
      [NAMED[4], NAMED[2]],
    ] as const) {
      const { status, body } = await chain(from, to);
      expect([status, body.error?.code]).toEqual([422, 'ValidationError']);
    }
    expect((await chain(NAMED[4], NAMED[5])).status).toBe(201);
  });

  it('a `create` claims referenced content, and a later `reference` keeps the claim', async () => {
    const cid = `sha256:${'1'.repeat(64)}`;
    const act = (type: string) => post('/v1/action', { performedBy: 'studio:ann', type, outputCids: [cid] });
    await act('reference');
    expect((await get(`/v1/resource/${cid}`)).body).toMatchObject({ state: 'referenced' });
    await act('create');
    expect((await get(`/v1/resource/${cid}`)).body).toMatchObject({
      state: 'claimed',
      createdBy: 'studio:ann',
    });
    await act('reference');
    expect((await get(`/v1/resource/${cid}`)).body).toMatchObject({ state: 'claimed' });
  });

  it.each([
    ['a server-asserted extension', { extensions: { 'ext:verification@1.0.0': {} } }],
    ['an extension without version', { extensions: { 'ext:ai': {} } }],
    ['an unknown field', { surprise: 1 }],
    ['a CID twice', { inputCids: [UNKNOWN_CID, UNKNOWN_CID] }],
    ['something that is no CID', { outputCids: ['QmNope'] }],
    ['NUL in a string', { sessionId: 'a\0b' }],
    ['a lone surrogate', { extensions: { 'ext:x@1.0.0': { t: '\ud800' } } }],
    ['__proto__', JSON.parse('{"extensions":{"ext:x@1.0.0":{"deep":{"__proto__":{"x":1}}}}}')],
    ['an unknown action type', { type: 'destroy' }],
    ['an instant beyond the year 9999', { timestamp: '9999-12-31T23:59:59-14:00' }],
    ['a known extension that breaks its schema', { extensions: { 'ext:ai@1.0.0': { provider: 7 } } }],
    ['no performer', { performedBy: undefined }],
    ['an id that is no UUID', { id: '7' }],
    [
      'JSON nested too deep',
      { extensions: { 'ext:x@1.0.0': JSON.parse(`${'{"a":'.repeat(64)}1${'}'.repeat(64)}`) } },
    ],
  ])('action 400 or 422: %s', async (_, fault) => {
    const { status, body } = await post('/v1/action', { performedBy: 'studio:ann', ...fault });
    expect([400, 422]).toContain(status);
    expect(['InvalidField', 'ValidationError']).toContain(body.error.code);
    expect(body.error.requestId).toBeTruthy();
  });

  it.each([
    '/v1/entity/none',
    '/v1/action/0198c0de-0000-7000-8000-00000000ffff',
    `/v1/bundle/${UNKNOWN_CID}`,
    `/v1/resource/${UNKNOWN_CID}`,
    `/v1/resource/${UNKNOWN_CID}/content`,
    '/v1/nothing',
    '/nothing',
  ])('404: %s', async (path) => {
    const { status, body } = await get(path);
    expect([status, body.error.code]).toEqual([404, 'NotFound']);
  });

  it.each([
    '/v1/bundle/nonsense',
    '/v1/resource/Qm',
    '/v1/action/7',
    `/v1/bundle/${UNKNOWN_CID}?limit=0`,
    `/v1/bundle/${UNKNOWN_CID}?nosuch=1`,
    '/v1/entity/%ff',
    '/v1/entity/%00',
  ])('400 InvalidField: %s', async (path) => {
    const { status, body } = await get(path);
    expect([status, body.error.code]).toEqual([400, 'InvalidField']);
  });

  it('401 with WWW-Authenticate: no key, another scheme, a wrong key, a mistyped key', async () => {
    for (const authorization of [
      undefined,
      `Basic ${KEY}`,
      'Bearer nope',
      `Bearer pk_live_${'0'.repeat(46)}`,
    ]) {
      const answer = await fetch(`${service.base}/v1/entity/x`, {
        headers: authorization === undefined ? {} : { authorization },
      });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('405 with Allow: a method that an existing path does not support', async () => {
    const answer = await service.send('/v1/entity', { method: 'DELETE' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
    expect((await answer.json()).error.code).toBe('MethodNotAllowed');
    for (const method of ['PROPFIND', 'QUERY', 'PURGE', 'PUT']) {
      for (const [path, allow] of [
        ['/v1/entity', 'POST'],
        ['/v1/entity/x', 'GET, HEAD, PATCH'],
        ['/healthz', 'GET, HEAD'],
      ] as const) {
        const other = await service.send(path, { method });
        expect([method, other.status, other.headers.get('allow')]).toEqual([method, 405, allow]);
      }
    }
    expect((await service.send('/v1/nothing', { method: 'PROPFIND' })).status).toBe(404);
  });

  it('422 and nothing stored: __proto__ in metadata, in JSON and in a form; metadata over 64 KiB', async () => {
    const metadata = JSON.parse('{"__proto__":{"x":1}}');
    const entity = { id: 'polluted', role: 'ai', metadata };
    expect((await post('/v1/entity', entity)).status).toBe(422);
    expect((await service.upload('polluted', { entity })).status).toBe(422);
    expect((await post('/v1/entity', { ...entity, metadata: { a: 'x'.repeat(70_000) } })).status).toBe(422);
    expect((await get('/v1/entity/polluted')).status).toBe(404);
  });

  const many = (count: number) => Array.from({ length: count }, (_, index) => [`k${index}`, 1]);
  const nested = { action: 'a', actors: Array(20).fill({ credentials: Array(20).fill(1) }) };
  it.each([
    ['recipients', { extensions: { 'ext:payment@1.0.0': { recipients: Array(300_000).fill({}) } } }],
    ['names', { extensions: { 'ext:c2pa@1.0.0': { manifestCid: 'x', actions: Array(300_000).fill(1) } } }],
    [
      'nested lists',
      {
        extensions: {
          'ext:c2pa@1.0.0': { manifestLabel: 'x', claimGenerator: 'x', actions: Array(800).fill(nested) },
        },
      },
    ],
    ['extension keys', { extensions: Object.fromEntries(many(80_000)) }],
    ['unknown fields', Object.fromEntries(many(80_000))],
    ['names of 1 MB', { ['x'.repeat(1_000_000)]: 1 }],
  ])('422 with a short response: a large body with invalid %s', async (_, fault) => {
    const body = JSON.stringify({ performedBy: 'studio:ann', ...fault });
    expect(body.length).toBeLessThan(2 ** 20);
    const answer = await service.send('/v1/action', { ...jsonPost(undefined), body });
    const text = await answer.text();
    expect(answer.status).toBe(422);
    expect(text.length).toBeLessThan(10_000);
  });

  it('422: the first 50 problems are listed, with the number of the others', async () => {
    const { body } = await post('/v1/action', Object.fromEntries(many(80)));
    const { details } = body.error;
    expect(details).toHaveLength(51);
    expect(details[0]).toEqual({ path: 'performedBy', message: expect.any(String) });
    expect(details[50]).toEqual({ path: '', message: 'and 31 more problems' });
  });

  const sendText = (text: string) => service.send('/v1/entity', { ...jsonPost({}), body: text });
  const sendPart = (text: string) => {
    const form = new FormData();
    form.set('file', new Blob([text]), 'x');
    form.set('json', text);
    return service.send('/v1/activity', { method: 'POST', body: form });
  };

  it.each([
    ['metadata.sizes.1', '{"role":"ai","metadata":{"sizes":[1,9007199254740993]}}'],
    ['metadata.n', '{"metadata":{"n":-12345678901234567890123},"role":"ai"}'],
    ['metadata.n', `{"metadata":{"n":${'9'.repeat(400)}},"role":"ai"}`],
  ])('422 names %s: a whole number that would be rounded', async (path, text) => {
    for (const answer of [await sendText(text), await sendPart(text)]) {
      expect(answer.status).toBe(422);
      expect((await answer.json()).error.details[0].path).toBe(path);
    }
  });

  it('201: numbers that fit a double, and long digits in strings and fractions', async () => {
    const numbers =
      '9007199254740992,-9007199254740991,100000000000000000000,1e300,0.12345678901234567890,1.5e-20';
    const answer = await sendText(`{"role":"ai","metadata":{"a\\":12345678901234567":[${numbers}]}}`);
    expect(answer.status).toBe(201);
  });

  it.each([
    '{"role":"ai","role":"human"}',
    '{"role":"ai","metadata":{"a":[{"b":1,"\\u0062":2}]}}',
    '{"role":"ai","__proto__":1,"__proto__":1}',
  ])('400: a duplicate member: %s', async (text) => {
    for (const answer of [await sendText(text), await sendPart(text)]) {
      expect([answer.status, (await answer.json()).error.code]).toEqual([400, 'InvalidField']);
    }
  });

  it('422: JSON nested deeper than any stack', async () => {
    expect((await sendText(`${'['.repeat(400_000)}${']'.repeat(400_000)}`)).status).toBe(422);
  });

  it('400: bytes that are not UTF-8 are rejected and not replaced', async () => {
    const body = Buffer.concat([
      Buffer.from('{"role":"human","name":"A'),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ]);
    const headers = { 'content-type': 'application/json' };
    const answer = await service.send('/v1/entity', { method: 'POST', body, headers });
    expect([answer.status, (await answer.json()).error.code]).toEqual([400, 'InvalidField']);
    const form = new FormData();
    form.set('file', new Blob(['x']), 'x');
    form.set('json', new Blob([body]), 'json');
    expect((await service.send('/v1/activity', { method: 'POST', body: form })).status).toBe(400);
  });

  it('400, 413 and 415: an unreadable body', async () => {
    const send = (body: string, type = 'application/json', more = {}) =>
      service.send('/v1/action', { method: 'POST', body, headers: { 'content-type': type, ...more } });
    const codes = await Promise.all(
      [
        send('{'),
        send(''),
        send(`"${'x'.repeat(2 ** 20)}"`),
        send('a=1', 'text/csv'),
        send('{}', 'text/plain'),
        send('--b--', 'multipart/form-data; boundary=b'),
        send('{}', 'application/json', { 'content-encoding': 'gzip' }),
      ].map(async (sent) => {
        const answer = await sent;
        return [answer.status, (await answer.json()).error.code];
      }),
    );
    expect(codes).toEqual([
      [400, 'InvalidField'],
      [400, 'InvalidField'],
      [413, 'PayloadTooLarge'],
      [415, 'Unsupported'],
      [415, 'Unsupported'],
      [415, 'Unsupported'],
      [415, 'Unsupported'],
    ]);
  });
});
