import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Task, Turn, WorkKind } from '../../src/platform/work/scheduler.js';
import { jsonPost, KEY, OTHER_KEY, type Service, startService } from '../support/service.js';

const NAMES = 1_000;
const SOON = { timeout: 20_000, interval: 1 };
const nameOf = (action: number, place: number) =>
  `sha256:${(action * 10_000 + place).toString(16).padStart(64, '0')}`;
const namesOf = (action: number, from: number, count = NAMES) =>
  Array.from({ length: count }, (_, place) => nameOf(action, from + place));

describe('actions that name much content', () => {
  let service: Service;

  beforeAll(async () => {
    service = await startService('PGlite in memory');
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

  it.each([
    ['/v1/entity', (note: string) => ({ id: `of ${note.length}`, role: 'human', metadata: { note } })],
    [
      '/v1/attribution',
      (note: string) => ({
        entityId: 'ann',
        resourceCid: nameOf(220, 0),
        role: note.length < 1_000 ? 'creator' : 'contributor',
        extensions: { 'ext:note@1.0.0': { note } },
      }),
    ],
  ])(
    'entities and attributions wait in the queue of batches too, when %s has a body of more than 16 KiB',
    async (path, bodyOf) => {
      const run = vi.spyOn(service.context.records.scheduler, 'run');
      const seen: number[] = [];
      for (const length of [100, 17_000]) {
        const answer = await service.send(path, jsonPost(bodyOf('n'.repeat(length))));
        expect([path, answer.status, await answer.text()]).toEqual([path, 201, expect.any(String)]);
        seen.push(run.mock.calls.filter(([{ kind }]) => kind === 'batch').length);
      }
      run.mockRestore();
      expect(seen).toEqual([0, 1]);
    },
  );

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
