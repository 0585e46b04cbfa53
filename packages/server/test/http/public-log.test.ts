import {
  findSignerFault,
  leafHash,
  parseCheckpoint,
  parseTrustedLog,
  type TrustedLog,
} from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { createVerifySignature } from '../../src/access/ed25519.js';
import { appendLeaf, EMPTY_FRONTIER, frontierRoot } from '../../src/cli/watch/leaf-frontier.js';
import {
  ANY_ENGINE,
  jsonPost,
  oneOrAll,
  RECORD_ENGINES,
  type Service,
  startService,
} from '../support/service.js';

const ROWS = oneOrAll(RECORD_ENGINES);
const LEAVES = 300;
const ABSENT = '0198c0de-0000-4000-8000-00000000ffff';
const verify = createVerifySignature();

const entities = (count: number, from = 0) => ({
  entities: Array.from({ length: count }, (_, place) => ({ id: `e${from + place}`, role: 'human' })),
});

describe.each(ROWS)('the public address of a log, on %s', (engine) => {
  let service: Service;
  let projectId: string;
  let key: string;
  let trusted: TrustedLog;

  beforeAll(async () => {
    service = await startService(engine, { environment: { PUBLIC_LOGS: 'permitted' } });
    const ask = async (path: string, body: unknown) => (await service.manage('ann', path, { body })).json();
    await ask('/orgs', { name: 'Daily Planet', slug: 'planet' });
    projectId = (await ask('/projects', { orgSlug: 'planet', name: 'Front page' })).id;
    key = (await ask('/api-keys', { projectId, name: 'writer', permissions: 'write' })).key;
    await record(LEAVES);
    const { verifierKey } = await (await service.send('/v1/log', asOwner())).json();
    trusted = parseTrustedLog(verifierKey) as TrustedLog;
  });
  afterAll(() => service.stop());

  const asOwner = () => ({ headers: { authorization: `Bearer ${key}` } });
  const record = async (count: number, from = 0) => {
    const answer = await service.send('/v1/batch', jsonPost(entities(count, from), asOwner().headers));
    expect(answer.status, await answer.clone().text()).toBeLessThan(300);
  };
  const read = (path: string, id = projectId) => fetch(`${service.base}/log/${id}/${path}`);
  const allow = async (publicLog: boolean) => {
    const answer = await service.manage('ann', `/projects/${projectId}`, {
      method: 'PUT',
      body: { publicLog },
    });
    expect(await answer.json()).toMatchObject({ publicLog });
  };

  it('answers like the log of an absent project until the project permits public reads', async () => {
    for (const path of ['checkpoint', 'tile/0/000', 'tile/entries/000']) {
      const [own, absent] = await Promise.all([read(path), read(path, ABSENT)]);
      const [ownError, absentError] = await Promise.all(
        [own, absent].map(async (one) => (await one.json()).error.message),
      );
      expect([own.status, absent.status, ownError]).toEqual([404, 404, absentError]);
    }
    expect((await read('checkpoint', 'no-id')).status).toBe(400);
    expect((await read('inclusion')).status).toBe(404);
    expect((await fetch(`${service.base}/log/${projectId}/checkpoint`, { method: 'POST' })).status).toBe(405);
  });

  it('shows the signed checkpoint and the tiles that lead to its root, to pages of other origins too', async () => {
    await allow(true);
    const answer = await fetch(`${service.base}/log/${projectId}/checkpoint`, {
      headers: { origin: 'https://mirror.example' },
    });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=1');
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const checkpoint = parseCheckpoint(await answer.text());
    if (checkpoint === undefined) throw new Error('no checkpoint');
    const { size, root, origin } = checkpoint;
    expect([size, origin]).toEqual([LEAVES, trusted.origin]);
    expect(findSignerFault(checkpoint, { named: origin, trusted, verify })).toBeUndefined();

    const full = await read('tile/0/000');
    expect(full.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(full.headers.get('vary') ?? '').not.toContain('authorization');
    const partial = await read(`tile/0/001.p/${LEAVES - 256}`);
    expect(partial.headers.get('cache-control')).toBe('public, max-age=600');
    const hashes = Buffer.concat([
      Buffer.from(await full.arrayBuffer()),
      Buffer.from(await partial.arrayBuffer()),
    ]);
    let frontier = EMPTY_FRONTIER;
    for (let at = 0; at < hashes.length; at += 32)
      frontier = appendLeaf(frontier, hashes.subarray(at, at + 32));
    expect(Buffer.from(frontierRoot(frontier))).toEqual(Buffer.from(root));
    expect((await read('tile/0/001')).status).toBe(404);
    expect((await read('tile/0/1')).status).toBe(404);
  });

  it('shows only record digests as entries; the hash of each entry is in the tile of hashes', async () => {
    const entries = Buffer.from(await (await read('tile/entries/000')).arrayBuffer());
    const hashes = Buffer.from(await (await read('tile/0/000')).arrayBuffer());
    expect(entries).toHaveLength(256 * (2 + 32));
    for (const leaf of [0, 7, 255]) {
      const entry = entries.subarray(leaf * 34, leaf * 34 + 34);
      expect(entry.readUInt16BE()).toBe(32);
      expect(Buffer.from(leafHash(`sha256:${entry.subarray(2).toString('hex')}`))).toEqual(
        hashes.subarray(leaf * 32, leaf * 32 + 32),
      );
    }
  });

  it('follows the log, and closes as soon as the project forbids public reads or is deleted', async () => {
    await record(5, LEAVES);
    const size = async () => parseCheckpoint(await (await read('checkpoint')).text())?.size;
    await expect.poll(size, { timeout: 10_000 }).toBe(LEAVES + 5);
    await allow(false);
    for (const path of ['checkpoint', 'tile/0/000']) expect((await read(path)).status).toBe(404);
    await allow(true);
    expect((await read('tile/0/000')).status).toBe(200);
    await service.manage('ann', `/projects/${projectId}`, { method: 'DELETE' });
    expect((await read('tile/0/000')).status).toBe(404);
  });
});

describe('PUBLIC_LOGS', () => {
  const ONE = namedProjectId('one');

  it('is off by default, also for a project that permits it', async () => {
    const service = await startService(ANY_ENGINE);
    await service.upload('a photo');
    await service.context.databases.control.query('update control.project set public_log = true');
    expect((await fetch(`${service.base}/log/${ONE}/checkpoint`)).status).toBe(404);
    await service.stop();
  });

  it('set to all opens every log, and requests of one address are limited', async () => {
    const service = await startService(ANY_ENGINE, {
      environment: { PUBLIC_LOGS: 'all', RATE_LIMIT_RPM: '3', RATE_LIMIT_BURST: '0' },
    });
    await service.upload('a photo');
    const statuses: number[] = [];
    for (const path of ['checkpoint', 'tile/0/000.p/1', 'tile/entries/000.p/1', 'checkpoint'])
      statuses.push((await fetch(`${service.base}/log/${ONE}/${path}`)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    // Callers with a key have their own limit.
    expect((await service.send('/v1/log')).status).toBe(200);
    await service.stop();
  });
});
