import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ANY_ENGINE, jsonPost, type Service, startService, toForm } from '../support/service.js';

const SOON = { timeout: 20_000, interval: 5 };
const SLOTS = Math.max(3, availableParallelism());
const OF_READERS = Math.max(1, Math.floor(SLOTS / 4));
const OF_PROJECT = SLOTS - 1 - OF_READERS;

describe('public reads', () => {
  let service: Service;
  let projectId: string;
  let key: string;
  let id: string;
  let cid: string;

  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    const ask = async (path: string, body: object, method = 'POST') =>
      (await service.manage('ann', path, { body, method })).json();
    await ask('/orgs', { name: 'Daily Planet', slug: 'planet' });
    projectId = (await ask('/projects', { orgSlug: 'planet', name: 'Front page' })).id;
    await ask(`/projects/${projectId}`, { publicChecks: true }, 'PUT');
    key = (await ask('/api-keys', { projectId, name: 'writer', permissions: 'write' })).key;
  });
  afterAll(() => service.stop());

  /** The service caches public reads, so this content is new. */
  const publish = async (content: string) => {
    const headers = { authorization: `Bearer ${key}` };
    const body = toForm(content, { entity: { id: 'ann', role: 'human' } });
    ({ cid } = await (await service.send('/v1/activity', { method: 'POST', body, headers })).json());
    ({ id } = await (await service.send('/v1/publications', jsonPost({ cid }, headers))).json());
  };
  const open = (path: string, signal?: AbortSignal) =>
    fetch(`${service.base}${path.replace(':id', id).replace(':cid', cid)}`, signal && { signal });
  const counts = () => service.context.records.scheduler.counts().history;

  async function whileBusy(tenant: string, slots: number, run: () => Promise<void>) {
    let free = () => {};
    const freed = new Promise<void>((resolve) => {
      free = resolve;
    });
    const { scheduler } = service.context.records;
    const turn = { projectId: tenant, kind: 'history' } as const;
    const busy = Array.from({ length: slots }, () => scheduler.run(turn, () => freed));
    try {
      await run();
    } finally {
      free();
      await Promise.all(busy);
    }
  }

  const PATHS = [
    '/app/api/public/:id',
    '/app/api/public/:id/summary',
    '/app/api/public/:id/proof',
    '/app/api/public/:id/proof?proofVersion=1',
    '/app/p/:id',
    '/app/api/public/check?cid=:cid',
  ];

  it.each(PATHS)('take no slot of the project: %s', async (path) => {
    await publish(`of the project ${path}`);
    await whileBusy(projectId, OF_PROJECT, async () => {
      const before = counts();
      expect((await open(path)).status).toBe(200);
      expect(counts()).toEqual(before);
    });
  });

  it.each(PATHS)('end when all readers have left: %s', async (path) => {
    await publish(`left ${path}`);
    await whileBusy(`public:${projectId}`, OF_READERS, async () => {
      const [first, second] = [new AbortController(), new AbortController()];
      const read = async ({ signal }: AbortController) => {
        const answer = open(path, signal).then(({ status }) => status);
        await vi.waitFor(() => expect(counts().waiting).toBe(1), SOON);
        return { left: answer.catch(() => 'left') };
      };
      const reads = [await read(first), await read(second)];
      first.abort();
      expect(await reads[0]?.left).toBe('left');
      second.abort();
      await vi.waitFor(() => expect(counts().waiting).toBe(0), SOON);
    });
  });
});
