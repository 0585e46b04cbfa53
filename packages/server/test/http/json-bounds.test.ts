import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { askAsPage, type PageUser, signUpFirst } from '../support/page-user.js';
import {
  ANY_ENGINE,
  jsonPost,
  KEY,
  OTHER_KEY,
  type Service,
  startService,
  toForm,
} from '../support/service.js';

const MAX_MEMBERS = 5_000;
const members = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 0]));

describe('JSON that is costly to read', () => {
  let service: Service;
  let ann: PageUser;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    ann = await signUpFirst(service);
  });
  afterAll(() => service.stop());
  afterEach(() => vi.restoreAllMocks());

  /**
   * Sends a request. Returns the status, the error, and how many characters of JSON this process parsed in the
   * meantime.
   */
  const counted = async (send: () => Promise<Response>) => {
    const parse = vi.spyOn(JSON, 'parse');
    const answer = await send();
    const parsed = parse.mock.calls.reduce((sum, [text]) => sum + String(text).length, 0);
    parse.mockRestore();
    return { status: answer.status, parsed, error: (await answer.json()).error };
  };
  const post = (path: string, body: string) =>
    service.send(path, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  const entity = (metadata: unknown) => JSON.stringify({ role: 'human', metadata });
  const formOf = (json: string, padding: number) => {
    const form = new FormData();
    form.set('json', new Blob([json], { type: 'application/json' }));
    form.set('file', new Blob(['x'.repeat(padding)]), 'photo.jpg');
    return form;
  };

  it.each([
    ['members', entity(members(80_000))],
    ['members at the top level', `{${JSON.stringify(members(60_000)).slice(1)}`],
    ['array elements', entity({ a: Array(400_000).fill(0) })],
    ['levels of nesting', `${'['.repeat(400_000)}${']'.repeat(400_000)}`],
  ])('too many %s are rejected before parsing, as a body and as a part of a form', async (_, json) => {
    for (const send of [
      () => post('/v1/entity', json),
      () => service.send('/v1/activity', { method: 'POST', body: formOf(json, 10) }),
    ]) {
      const refused = await counted(send);
      expect([refused.status, refused.parsed < 1_000]).toEqual([422, true]);
      expect(refused.error.message).toMatch(
        /more than 5000 members|more than 20000 members and elements|64 levels/,
      );
    }
  });

  it('is rejected with an error that names MAX_JSON_MEMBERS, and is counted in the metrics', async () => {
    const { error } = await counted(() => post('/v1/entity', entity(members(MAX_MEMBERS + 1))));
    expect(error.message + error.recovery).toContain('MAX_JSON_MEMBERS');
    const metrics = await (await fetch(`${service.base}/metrics`)).text();
    expect(metrics).toMatch(/colophon_json_refused_total\{bound="members"\} [1-9]/);
  });

  it('is accepted with the maximum number of members, whatever its strings contain', async () => {
    const metadata = { ...members(MAX_MEMBERS - 3), text: '"\\,:{[' };
    expect((await post('/v1/entity', entity(metadata))).status).toBe(201);
    const tricky = { text: ',:{[\\"'.repeat(6_000) };
    expect((await post('/v1/entity', entity(tricky))).status).toBe(201);
  });

  it('may have 20 times as many members in a batch, but not in one of its records', async () => {
    const hash = (at: number) => `sha256:${createHash('sha256').update(`${at}`).digest('hex')}`;
    const actions = Array.from({ length: 999 }, (_, at) => ({
      performedBy: 'ann',
      outputCids: [hash(at)],
    }));
    const entities = [{ id: 'ann', role: 'human', metadata: members(4_000) }];
    expect((await post('/v1/batch', JSON.stringify({ entities, actions }))).status).toBe(201);
    const batchOf = (...metadata: object[]) =>
      JSON.stringify({ entities: metadata.map((one) => ({ role: 'human', metadata: one })) });
    const tooMany = batchOf(...Array.from({ length: 21 }, () => members(4_900)));
    const tooManyInOne = batchOf({}, members(MAX_MEMBERS + 1));
    for (const body of [tooMany, tooManyInOne]) {
      const refused = await counted(() => post('/v1/batch', body));
      expect([refused.status, refused.parsed < 1_000]).toEqual([422, true]);
      expect(refused.error.message).toContain('more than 100000 members, or 5000 in one object');
    }
  });

  it('gets 413 beyond 8 KiB, before parsing, on page routes without certificates in the body', async () => {
    const body = { ...members(60_000), name: 'ann', password: 'x' };
    for (const send of [
      () => askAsPage(service, '/session', { body }),
      () => askAsPage(service, '/accounts', { body }),
      () => ann.ask('/memberships', { body }),
      () => ann.ask('/password', { method: 'PUT', body }),
      () => ann.ask('/management/orgs', { body }),
    ]) {
      const { status, parsed, error } = await counted(send);
      expect([status, parsed < 1_000]).toEqual([413, true]);
      expect(error.message).toContain('8192 bytes');
    }
    const pem = `-----BEGIN CERTIFICATE-----\n${'A'.repeat(60_000)}\n-----END CERTIFICATE-----`;
    const settings = { method: 'PUT', body: { trustAnchors: pem } };
    const id = '0198c0de-0000-7000-8000-00000000c001';
    expect((await ann.ask(`/management/projects/${id}`, settings)).status).not.toBe(413);
  });

  it('a body for an unknown path is not parsed', async () => {
    const refused = await counted(() => fetch(`${service.base}/nothing`, jsonPost(members(60_000))));
    expect([refused.status, refused.parsed < 1_000]).toEqual([404, true]);
  });

  it('JSON is not a media file: 415 before it is parsed', async () => {
    const refused = await counted(() => post('/v1/c2pa/matches/byContent', entity(members(1_000))));
    expect([refused.status, refused.parsed < 1_000]).toEqual([415, true]);
  });
});

describe('requests of a page', () => {
  it('are limited before they are parsed: sign-ins by address, changes by user', async () => {
    const service = await startService(ANY_ENGINE, {
      environment: { RATE_LIMIT_RPM: '3', RATE_LIMIT_BURST: '0' },
      overrides: { signInPace: { perAddress: 3, openIdPerAddress: 100 } },
    });
    const ann = await signUpFirst(service);
    const statuses = async (ask: () => Promise<Response>, times: number) => {
      const found: number[] = [];
      for (let time = 0; time < times; time++) found.push((await ask()).status);
      return found;
    };
    const malformed = (path: string, headers: Record<string, string>) => () =>
      fetch(`${service.base}/app/api${path}`, {
        method: 'POST',
        body: '{',
        headers: { 'content-type': 'application/json', origin: service.base, ...headers },
      });
    expect(await statuses(malformed('/session', {}), 3)).toEqual([400, 400, 429]);
    expect(await statuses(malformed('/management/orgs', ann.headers), 4)).toEqual([400, 400, 400, 429]);
    expect((await ann.ask('/management/orgs')).status).toBe(200);
    await service.stop();
  });
});

describe('large JSON texts of one project', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE, { environment: { WORK_MAX_WAITING: '2' } });
    for (const key of [KEY, OTHER_KEY])
      expect((await post(key, '{"id":"ann","role":"human"}', '/v1/entity')).status).toBe(201);
  });
  afterAll(() => service.stop());

  const counts = () => service.context.records.scheduler.counts().parse;
  const as = (key: string) => ({ authorization: `Bearer ${key}` });
  const post = (key: string, body: string, path = '/v1/action') => {
    const headers = { ...as(key), 'content-type': 'application/json' };
    return service.send(path, { method: 'POST', body, headers });
  };
  const extensionsOf = (bytes: number) => ({ 'ext:note@1.0.0': { text: 'x'.repeat(bytes) } });
  const actionOf = (bytes: number) => JSON.stringify({ performedBy: 'ann', extensions: extensionsOf(bytes) });
  const activityOf = (bytes: number) => {
    const json = { entity: { id: 'ann' }, action: { type: 'create', extensions: extensionsOf(bytes) } };
    return { method: 'POST', headers: as(KEY), body: toForm(`file of ${bytes}`, json) };
  };
  const statusOf = async (answer: Promise<Response>) => (await answer).status;

  async function blockTurn(): Promise<() => Promise<void>> {
    let free = () => {};
    const freed = new Promise<void>((resolve) => {
      free = resolve;
    });
    const turn = { projectId: namedProjectId('one'), kind: 'parse' as const };
    const ended = service.context.records.scheduler.run(turn, () => freed);
    await vi.waitFor(() => expect(counts().running).toBe(1));
    onTestFinished(free);
    return async () => {
      free();
      await ended;
    };
  }

  it('are parsed in turn, and delay no small text and no other project', async () => {
    const unblock = await blockTurn();
    const waiting = [post(KEY, actionOf(70_000)), service.send('/v1/activity', activityOf(70_000))];
    await vi.waitFor(() => expect(counts()).toMatchObject({ running: 1, waiting: 2 }), { timeout: 10_000 });
    expect(await statusOf(post(KEY, actionOf(1_000)))).toBe(201);
    expect(await statusOf(post(OTHER_KEY, actionOf(70_000)))).toBe(201);
    expect(counts()).toMatchObject({ running: 1, waiting: 2 });
    await unblock();
    expect(await Promise.all(waiting.map(statusOf))).toEqual([201, 201]);
    await vi.waitFor(() => expect(counts()).toMatchObject({ running: 0, waiting: 0 }));
  });

  it('wait at a length below 64 KiB only if they have many values', async () => {
    const unblock = await blockTurn();
    expect(await statusOf(post(KEY, actionOf(60_000)))).toBe(201);
    const members = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`name ${n}`, n]));
    const many = post(KEY, JSON.stringify({ performedBy: 'ann', extensions: { 'ext:note@1.0.0': members } }));
    await vi.waitFor(() => expect(counts().waiting).toBe(1), { timeout: 10_000 });
    await unblock();
    expect(await statusOf(many)).toBe(201);
  });

  it('end their turn when they are invalid', async () => {
    const invalid = JSON.stringify({ extensions: extensionsOf(70_000) });
    for (const body of [invalid, actionOf(70_000).slice(0, -1), invalid])
      expect([400, 422]).toContain(await statusOf(post(KEY, body)));
    await vi.waitFor(() => expect(counts()).toMatchObject({ running: 0, waiting: 0 }));
  });

  it('end their turn when they are invalid and their response waits for an earlier response', async () => {
    let free = () => {};
    const freed = new Promise<void>((resolve) => {
      free = resolve;
    });
    const { scheduler } = service.context.records;
    const held = scheduler.run({ projectId: namedProjectId('one'), kind: 'bulk' }, () => freed);
    onTestFinished(free);
    const toRequest = (path: string, body: string) =>
      [
        `POST ${path} HTTP/1.1`,
        `host: x\r\nauthorization: Bearer ${KEY}\r\ncontent-type: application/json`,
        `content-length: ${body.length}\r\n\r\n${body}`,
      ].join('\r\n');
    const entities = Array.from({ length: 201 }, () => ({ role: 'human' }));
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(service.base).port) });
    const ended = once(socket, 'close');
    socket.write(toRequest('/v1/batch', JSON.stringify({ entities })));
    const parsed = vi.spyOn(service.context.app.json, 'read');
    socket.write(toRequest('/v1/action', 'x'.repeat(70_000)));
    await vi.waitFor(() => expect(parsed.mock.calls.length).toBeGreaterThan(1), { timeout: 10_000 });
    expect(scheduler.counts().bulk).toMatchObject({ running: 1, waiting: 1 });
    await vi.waitFor(() => expect(counts().running).toBe(0));
    socket.destroy();
    free();
    await Promise.all([held, ended]);
  });

  it('are rejected without parsing when WORK_MAX_WAITING of them wait', async () => {
    const unblock = await blockTurn();
    const waiting = [post(KEY, actionOf(70_000)), post(KEY, actionOf(70_001))];
    await vi.waitFor(() => expect(counts().waiting).toBe(2), { timeout: 10_000 });
    const answer = await post(KEY, 'x'.repeat(70_000));
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await answer.json()).error.message).toContain('WORK_MAX_WAITING');
    await unblock();
    expect(await Promise.all(waiting.map(statusOf))).toEqual([201, 201]);
  });
});

it('large JSON bodies of one project wait unparsed if they need over two thirds of the memory for bodies', async () => {
  const environment = { WORKER_MEMORY_BYTES: String(2 ** 26) };
  const service = await startService(ANY_ENGINE, { environment });
  const { scheduler } = service.context.records;
  let free = () => {};
  const freed = new Promise<void>((resolve) => {
    free = resolve;
  });
  onTestFinished(() => {
    free();
    return service.stop();
  });
  const held = scheduler.run({ projectId: namedProjectId('one'), kind: 'bulk' }, () => freed);
  const batchOf = (length: number) =>
    jsonPost({
      entities: Array.from({ length: 201 }, () => ({
        role: 'human',
        metadata: { text: 'x'.repeat(length) },
      })),
    });
  const parsed = vi.spyOn(service.context.app.json, 'read');
  // Each body counts as 24 times its size. All bodies together may use a quarter of WORKER_MEMORY_BYTES.
  const sent = [970, 971, 972].map((length) => service.send('/v1/batch', batchOf(length)));
  await vi.waitFor(() => expect(scheduler.counts().bulk.waiting).toBe(2), { timeout: 10_000 });
  await vi.waitFor(() => expect(scheduler.counts().body).toMatchObject({ running: 2, waiting: 1 }));
  expect(parsed).toHaveBeenCalledTimes(2);
  const headers = { authorization: `Bearer ${OTHER_KEY}`, 'content-type': 'application/json' };
  const entity = JSON.stringify({
    role: 'human',
    metadata: { text: 'x'.repeat(60_000) },
    extensions: { 'ext:note@1.0.0': { text: 'x'.repeat(10_000) } },
  });
  const other = await service.send('/v1/entity', { method: 'POST', body: entity, headers });
  expect(other.status).toBe(201);
  free();
  await held;
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([201, 201, 201]);
  await vi.waitFor(() => expect(scheduler.counts().body).toMatchObject({ running: 0, waiting: 0 }));
});
