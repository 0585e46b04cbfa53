import { AsyncLocalStorage } from 'node:async_hooks';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import type { Task, Turn, WorkKind } from '../../src/platform/work/scheduler.js';
import { jsonPost, KEY, OTHER_KEY, type Service, startService } from '../support/service.js';

const NAMES = 1_000;
const SOON = { timeout: 20_000, interval: 1 };
const nameOf = (action: number, place: number) =>
  `sha256:${(action * 10_000 + place).toString(16).padStart(64, '0')}`;
const namesOf = (action: number, from: number, count = NAMES) =>
  Array.from({ length: count }, (_, place) => nameOf(action, from + place));

describe('actions that name many contents', () => {
  let service: Service;

  beforeAll(async () => {
    // On a busy machine, the last of the actions waits long.
    service = await startService('PGlite in memory', { environment: { WORK_MAX_WAIT_MS: '60000' } });
    for (const key of [KEY, OTHER_KEY]) {
      const answer = await service.send('/v1/entity', {
        ...jsonPost({ id: 'ann', role: 'human' }),
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      });
      expect(answer.status).toBe(201);
    }
  });
  afterAll(() => service.stop());

  const record = (key: string, action: object) =>
    fetch(`${service.base}/v1/action`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ performedBy: 'ann', ...action }),
    });
  const counts = () => service.context.records.scheduler.counts();

  it('are recorded one at a time per project, and another project is answered before most of them', async () => {
    const running: number[] = [];
    const watching = setInterval(() => running.push(counts().bulk.running), 1);
    const ended: string[] = [];
    const large = Array.from({ length: 6 }, async (_, action) => {
      const answer = await record(KEY, {
        inputCids: namesOf(action, 0),
        outputCids: namesOf(action, NAMES),
      });
      ended.push('large');
      return answer.status;
    });
    await vi.waitFor(() => expect(counts().bulk.waiting + counts().parse.waiting).toBeGreaterThan(2), SOON);
    expect((await record(OTHER_KEY, { outputCids: [nameOf(90, 0)] })).status).toBe(201);
    ended.push('other');
    expect(await Promise.all(large)).toEqual(large.map(() => 201));
    clearInterval(watching);
    expect(Math.max(...running)).toBe(1);
    expect(ended.indexOf('other')).toBeLessThan(4);
  });

  it('wait in the queue of batches from 201 names on', async () => {
    const seen: number[] = [];
    const { scheduler } = service.context.records;
    const run = vi.spyOn(scheduler, 'run');
    for (const count of [200, 201]) {
      expect((await record(KEY, { outputCids: namesOf(20 + count, 0, count) })).status).toBe(201);
      seen.push(run.mock.calls.filter(([{ kind }]) => kind === 'batch').length);
    }
    run.mockRestore();
    expect(seen).toEqual([0, 1]);
  });

  const noteOf = (note: string) => ({ extensions: { 'ext:note@1.0.0': { note } } });

  it.each([
    [
      'an entity',
      1,
      (note: string) =>
        service.send('/v1/entity', jsonPost({ id: `of ${note.length}`, role: 'human', metadata: { note } })),
    ],
    [
      'a change of an entity',
      1,
      (note: string) =>
        service.send('/v1/entity/ann', { ...jsonPost({ metadata: { note } }), method: 'PATCH' }),
    ],
    [
      'an attribution',
      1,
      (note: string) => {
        const role = note.length < 1_000 ? 'creator' : 'contributor';
        const target = { entityId: 'ann', resourceCid: nameOf(220, 0), role };
        return service.send('/v1/attribution', jsonPost({ ...target, ...noteOf(note) }));
      },
    ],
    [
      'an action',
      1,
      (note: string) => service.send('/v1/action', jsonPost({ performedBy: 'ann', ...noteOf(note) })),
    ],
    [
      'a file, for its check and for its recording,',
      2,
      (note: string) =>
        service.upload(`file of ${note.length}`, {
          entity: { id: 'ann', role: 'human' },
          action: noteOf(note),
        }),
    ],
  ])('%s waits in the queue of batches if it has more than 16 KiB of JSON', async (_, turns, send) => {
    const run = vi.spyOn(service.context.records.scheduler, 'run');
    const seen: number[] = [];
    for (const length of [100, 17_000]) {
      const answer = await send('n'.repeat(length));
      expect([answer.ok, await answer.text()]).toEqual([true, expect.any(String)]);
      seen.push(run.mock.calls.filter(([{ kind }]) => kind === 'batch').length);
    }
    run.mockRestore();
    expect(seen).toEqual([0, turns]);
  });

  it('do not begin after their caller has left', async () => {
    const { scheduler } = service.context.records;
    const original = scheduler.run;
    const waiting: (AbortSignal | undefined)[] = [];
    const run = vi.spyOn(scheduler, 'run').mockImplementation(<T>(turn: Turn, task: Task<T>) => {
      const { kind, signal } = turn;
      // Jobs for other content can run in the background.
      if (kind !== 'batch') return original(turn, task);
      waiting.push(signal);
      return new Promise<T>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    });
    const leaving = new AbortController();
    const answer = fetch(`${service.base}/v1/action`, {
      ...jsonPost({ performedBy: 'ann', outputCids: namesOf(60, 0, 201) }),
      signal: leaving.signal,
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    }).catch(() => 'left');
    await vi.waitFor(() => expect(waiting).toHaveLength(1), SOON);
    leaving.abort();
    expect(await answer).toBe('left');
    await vi.waitFor(() => expect(waiting[0]?.aborted).toBe(true), SOON);
    run.mockRestore();
    expect((await service.send(`/v1/bundle/${nameOf(60, 0)}`)).status).toBe(404);
  });

  it('hold no slot while they search for content that is similar to a file', async () => {
    const { scheduler } = service.context.records;
    const original = scheduler.run;
    const holding = new AsyncLocalStorage<WorkKind>();
    const asked: { kind: WorkKind; inside: WorkKind | undefined }[] = [];
    const run = vi.spyOn(scheduler, 'run').mockImplementation(<T>(turn: Turn, task: Task<T>) => {
      asked.push({ kind: turn.kind, inside: holding.getStore() });
      return original(turn, (signal, hold) => holding.run(turn.kind, () => task(signal, hold)));
    });
    const text = Array.from({ length: 400 }, (_, place) => `word${place}`).join(' ');
    const action = { inputCids: namesOf(40, 0, 201) };
    const answer = await service.upload(text, { entity: { id: 'ann', role: 'human' }, action });
    run.mockRestore();
    expect(answer.status).toBe(201);
    expect(asked.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['text', 'batch']));
    expect(asked.filter(({ inside }) => inside !== undefined)).toEqual([]);
  });
});

it('on PostgreSQL, a project waits after a large batch, not after a small one, if others have requests', async () => {
  const service = await startService('PostgreSQL');
  const { scheduler } = service.context.records;
  const restsAfter = async (kind: WorkKind) => {
    const turn = { projectId: namedProjectId('one'), kind };
    await scheduler.run(turn, () => sleep(30));
    const next = scheduler.run(turn, async () => {});
    const { waiting } = scheduler.counts()[kind];
    await next;
    return waiting > 0;
  };
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(service.base).port) });
  const head = `authorization: Bearer ${OTHER_KEY}\r\ncontent-type: application/json\r\ncontent-length: 9`;
  socket.write(`POST /v1/entity HTTP/1.1\r\nhost: x\r\n${head}\r\n\r\n{`);
  await vi.waitFor(async () => expect(await restsAfter('bulk')).toBe(true), SOON);
  expect(await restsAfter('batch')).toBe(false);
  socket.destroy();
  await vi.waitFor(async () => expect(await restsAfter('bulk')).toBe(false), SOON);
  await service.stop();
});
