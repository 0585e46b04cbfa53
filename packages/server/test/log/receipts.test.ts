import { createHash } from 'node:crypto';
import {
  formatTilePath,
  leafHash,
  nodeHash,
  parseCheckpoint,
  parseTrustedLog,
  parseVerifierKey,
  type Receipt,
  type TrustedLog,
  treeRoot,
  verifyGrowth,
  verifyReceipt,
} from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVerifySignature } from '../../src/access/ed25519.js';
import { ANY_ENGINE, jsonPost, KEY, type Service, startService } from '../support/service.js';

const verify = createVerifySignature();

describe('proofs of the log', () => {
  let service: Service;
  let trusted: TrustedLog;
  let actionIds: string[];

  beforeAll(async () => {
    service = await startService(ANY_ENGINE, {
      environment: { PUBLIC_URL: 'https://example.org/colophon/' },
    });
    await service.send(
      '/v1/entity',
      jsonPost({ id: 'a/b', role: 'human', name: 'Ann', metadata: { n: 1.5 } }),
    );
    const extensions = { 'ext:ai@1.0.0': { provider: 'Acme', model: 'm', prompt: 'p' } };
    const answers = await Promise.all(
      Array.from({ length: 290 }, () =>
        service.send('/v1/action', jsonPost({ performedBy: 'a/b', extensions })),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    actionIds = await Promise.all(answers.map(async (answer) => (await answer.json()).actionId));
    trusted = parseTrustedLog((await json('/v1/log')).verifierKey) as TrustedLog;
  }, 60_000);
  afterAll(() => service.stop());

  const json = async (path: string) => (await service.send(path)).json();
  const bytes = async (path: string) => Buffer.from(await (await service.send(path)).arrayBuffer());
  const readCheckpoint = async () => {
    const text = await (await service.send('/v1/log/checkpoint')).text();
    const checkpoint = parseCheckpoint(text);
    if (checkpoint === undefined) throw new Error(`no checkpoint: ${text}`);
    return checkpoint;
  };

  it('belong to a log with the public address in its name and the public key in its verifier key', async () => {
    const log = await json('/v1/log');
    expect(log.origin).toMatch(/^example\.org\/colophon\/log\/[0-9a-f-]{36}$/);
    expect(log.size).toBe(1 + 2 * 290);
    expect(Buffer.from(parseVerifierKey(log.verifierKey)?.publicKey ?? '').toString('hex')).toBe(
      log.publicKey,
    );
  });

  it('provide receipts of entities, actions and attributions, which verify without the service', async () => {
    const [attribution] = (await json('/v1/attributions?limit=1')).attributions;
    const places = [
      ...actionIds.map((id) => `/v1/action/${id}/receipt`).filter((_, n) => n % 29 === 0),
      '/v1/entity/a%2Fb/receipt',
      `/v1/attribution/${attribution.id}/receipt`,
    ];
    for (const place of places) {
      const receipt = (await json(place)) as Receipt;
      expect(verifyReceipt(receipt, trusted, verify), place).toMatchObject({ verified: true, size: 581 });
      expect(receipt.record.body).not.toHaveProperty('recordedAt');
    }
  });

  it('cover a record at once if the answer to its recording links to a receipt', async () => {
    const writes: [string, RequestInit][] = [
      ['/v1/entity', jsonPost({ id: 'new one', role: 'ai' })],
      ['/v1/action', jsonPost({ performedBy: 'new one' })],
      ['/v1/attribution', jsonPost({ entityId: 'new one', actionId: actionIds[0], role: 'source' })],
      ['/v1/entity/new%20one', { ...jsonPost({ name: 'Renamed' }), method: 'PATCH' }],
    ];
    for (const [path, init] of writes) {
      const answer = await service.send(path, init);
      const [, place = ''] = /^<([^>]+)>; rel="receipt"$/.exec(answer.headers.get('link') ?? '') ?? [];
      const report = verifyReceipt(await json(place), trusted, verify);
      expect(report, path).toMatchObject({ verified: true });
      if (report.verified) expect(report.leafIndex).toBeGreaterThanOrEqual(581);
    }
    const uploaded = await service.upload('bytes');
    expect(uploaded.headers.get('link')).toContain(`/v1/action/${(await uploaded.json()).actionId}/receipt`);
  });

  it('are part of the answer to a recording with the header Prefer: return=representation', async () => {
    const prefer = { prefer: 'respond-async, return="representation"; foo' };
    const posted: [string, unknown][] = [
      ['/v1/entity', { id: 'preferred', role: 'ai', name: 'P' }],
      ['/v1/entity', { id: 'preferred', role: 'ai' }],
      ['/v1/action', { performedBy: 'preferred' }],
      ['/v1/attribution', { entityId: 'preferred', actionId: actionIds[0], role: 'source' }],
    ];
    const answers = [
      ...posted.map(
        ([path, body]) =>
          () =>
            service.send(path, jsonPost(body, prefer)),
      ),
      () => service.send('/v1/entity/preferred', { ...jsonPost({ name: 'Q' }, prefer), method: 'PATCH' }),
      () => service.upload(`preferred`, undefined, prefer),
    ];
    for (const ask of answers) {
      const answer = await ask();
      expect(answer.headers.get('preference-applied')).toBe('return=representation');
      const { receipt } = await answer.json();
      expect(verifyReceipt(receipt, trusted, verify)).toMatchObject({ verified: true });
      const [, place = ''] = /^<([^>]+)>/.exec(answer.headers.get('link') ?? '') ?? [];
      expect(receipt).toEqual(await json(place));
    }
  });

  it('are part of a repeated answer, if the repetition has the header Prefer: return=representation', async () => {
    const key = { 'idempotency-key': 'repeated' };
    const ask = (more: Record<string, string>) =>
      service.send('/v1/action', jsonPost({ performedBy: 'a/b' }, { ...key, ...more }));
    const first = await (await ask({ prefer: 'return=minimal, return=representation' })).json();
    expect(first).not.toHaveProperty('receipt');
    const { receipt, ...again } = await (await ask({ prefer: 'return=representation' })).json();
    expect(again).toEqual(first);
    expect(receipt.record.body.id).toBe(first.actionId);
    expect(await (await ask({})).json()).toEqual(first);
  });

  it('are not part of the answers of the routes for the ProvenanceKit SDK', async () => {
    const answer = await service.send(
      '/entity',
      jsonPost({ id: 'published', role: 'human', name: 'P' }, { prefer: 'return=representation' }),
    );
    expect([answer.status, answer.headers.get('preference-applied')]).toEqual([201, null]);
    expect(await answer.json()).not.toHaveProperty('receipt');
  });

  it('prove that the log has only grown', async () => {
    const older = await readCheckpoint();
    await service.send('/v1/action', jsonPost({ performedBy: 'a/b' }));
    const newer = await readCheckpoint();
    const proof = await json(`/v1/log/consistency?from=${older.size}&to=${newer.size}`);
    const path = proof.consistencyPath.map((hash: string) => Buffer.from(hash, 'base64'));
    expect(newer.size).toBe(older.size + 2);
    expect(verifyGrowth(older, newer, path)).toEqual({ verified: true });
  });

  it('exist for leaves in earlier trees', async () => {
    for (const [leafIndex, size] of [
      [0, 1],
      [255, 256],
      [256, 257],
      [100, 513],
    ]) {
      const entry = await json(`/v1/log/inclusion?leafIndex=${leafIndex}&size=${size}`);
      expect(parseCheckpoint(entry.checkpoint)?.size).toBe(size);
      expect(entry.leafIndex).toBe(leafIndex);
    }
    const byId = await json(`/v1/log/inclusion?recordId=${actionIds[7]}`);
    const receipt = await json(`/v1/action/${actionIds[7]}/receipt`);
    expect(byId).toEqual(receipt.log);
    expect((await service.send('/v1/log/inclusion?leafIndex=5&size=5')).status).toBe(404);
    expect((await service.send('/v1/log/inclusion?leafIndex=0&size=99999')).status).toBe(400);
    expect((await service.send('/v1/log/inclusion')).status).toBe(400);
    expect((await service.send('/v1/log/consistency?from=9&to=8')).status).toBe(400);
  });

  it('can be recreated by a mirror that has only the tiles', async () => {
    const { size, root } = await readCheckpoint();
    const leaves: Uint8Array[] = [];
    for (let index = 0; index * 256 < size; index++) {
      const width = Math.min(256, size - index * 256);
      const entries = await bytes(`/v1/log/tile/${formatTilePath({ level: 'entries', index, width })}`);
      const hashes = await bytes(`/v1/log/tile/${formatTilePath({ level: 0, index, width })}`);
      expect([entries.length, hashes.length]).toEqual([width * 34, width * 32]);
      for (let place = 0; place < width; place++) {
        const entry = entries.subarray(place * 34, (place + 1) * 34);
        expect(entry.readUInt16BE()).toBe(32);
        leaves.push(leafHash(`sha256:${entry.subarray(2).toString('hex')}`));
        expect(hashes.subarray(place * 32, (place + 1) * 32).equals(leaves.at(-1) as Uint8Array)).toBe(true);
      }
    }
    const hashOf = (level: number, index: number): Uint8Array =>
      level === 0
        ? (leaves[index] as Uint8Array)
        : nodeHash(hashOf(level - 1, 2 * index), hashOf(level - 1, 2 * index + 1));
    const computed = await treeRoot(size, async (all) => all.map(({ level, index }) => hashOf(level, index)));
    expect(Buffer.from(computed).equals(root)).toBe(true);
    const upper = await bytes('/v1/log/tile/1/000.p/2');
    expect(upper.equals(Buffer.concat([hashOf(8, 0), hashOf(8, 1)]))).toBe(true);
    for (const absent of ['0/003', '1/000', '5/000.p/1', '0/x001/000']) {
      expect((await service.send(`/v1/log/tile/${absent}`)).status, absent).toBe(404);
    }
    expect((await service.send('/v1/log/tile/0/7')).status).toBe(404);
    const full = await service.send('/v1/log/tile/0/000');
    expect(full.status).toBe(200);
    expect(full.headers.get('cache-control')).toContain('immutable');
    expect(full.headers.get('vary')).toBe('authorization');
    const etag = full.headers.get('etag') ?? '';
    const known = await service.send('/v1/log/tile/0/000', { headers: { 'if-none-match': etag } });
    expect(known.status).toBe(304);
  });

  it('have the same root without the stored nodes', async () => {
    const before = await readCheckpoint();
    await service.context.databases.provenance.query('delete from provenance.log_node');
    expect((await readCheckpoint()).root).toEqual(before.root);
  });
});

describe('the key of the log', () => {
  const keyOf = async (service: Service) => (await (await service.send('/v1/log')).json()).publicKey;

  it('is the same in two services with the same SERVER_SIGNING_KEY', async () => {
    const seed = createHash('sha256').update('seed').digest('hex');
    const service = await startService(ANY_ENGINE, { environment: { SERVER_SIGNING_KEY: seed } });
    const again = await startService(ANY_ENGINE, { environment: { SERVER_SIGNING_KEY: seed } });
    expect(await keyOf(service)).toBe(await keyOf(again));
    await Promise.all([service.stop(), again.stop()]);
  });

  it('is stored in DATA_DIR if none is configured', async () => {
    const service = await startService('PGlite in a directory');
    const { logKey } = service.config;
    const { openSigningKey } = await import('../../src/transparency-log/signing-key.js');
    if (logKey.kind !== 'directory') throw new Error(`the key is of the kind ${logKey.kind}`);
    const [one, two] = await Promise.all([openSigningKey(logKey), openSigningKey(logKey)]);
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect(two).toBe(one);
    await service.stop();
  });

  it('is absent in production on PostgreSQL if none is configured, and the service signs nothing', async () => {
    const service = await startService('PostgreSQL', { environment: { NODE_ENV: 'production' } });
    const authorization = `Bearer ${KEY}`;
    const answer = await service.send('/v1/log/checkpoint', { headers: { authorization } });
    expect([answer.status, (await answer.json()).error.recovery]).toEqual([
      503,
      expect.stringContaining('SERVER_SIGNING_KEY'),
    ]);
    const prefer = { authorization, prefer: 'return=representation' };
    const recorded = await service.send('/v1/entity', jsonPost({ role: 'human', name: 'Ann' }, prefer));
    expect([recorded.status, recorded.headers.get('preference-applied')]).toEqual([201, null]);
    await service.stop();
  });
});
