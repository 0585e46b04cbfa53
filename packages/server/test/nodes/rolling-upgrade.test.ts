import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  parseTrustedLog,
  type TrustedLog,
  verifyBundle,
  verifyByKeys,
  verifyEd25519,
  verifyKeyHistory,
  verifyReceipt,
} from '@colophon/model';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { buildEarlier, type EarlierBuild, hasCommit } from '../support/earlier-build.js';
import { createDatabase, createMigratedDatabase } from '../support/postgres.js';
import { type ServiceProcess, startProcess } from '../support/process.js';
import { startReceiver } from '../support/receiver.js';
import { runCli } from '../support/run-cli.js';
import { runSql } from '../support/run-sql.js';
import { jsonPost, MANAGEMENT_KEY } from '../support/service.js';

/** The commit of the previous version. */
const EARLIER = '6681c697';
const ANN = { id: 'ann', role: 'human', name: 'Ann' };

describe.skipIf(!hasCommit(EARLIER))('an earlier version beside this one, on one PostgreSQL', () => {
  let build: EarlierBuild;
  let environment: Record<string, string>;
  let earlier: ServiceProcess;
  let later: ServiceProcess;

  beforeAll(async () => {
    build = buildEarlier(EARLIER);
    environment = {
      DATABASE_URL: await createDatabase(inject('postgresUrl')),
      MANAGEMENT_API_KEY: MANAGEMENT_KEY,
      SERVER_SIGNING_KEY: '07'.repeat(32),
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      ALLOW_PRIVATE_ADDRESSES: 'true',
    };
    // The earlier version serves while this version migrates its schema.
    earlier = await startProcess(environment, build.main);
    await post(earlier, '/v1/entity', ANN);
    later = await startProcess(environment);
  }, 300_000);
  afterAll(async () => {
    await earlier?.stop();
    await later?.stop();
    build?.remove();
  });

  const post = async (node: ServiceProcess, path: string, body: unknown, headers = {}) => {
    const answer = await node.send(path, jsonPost(body, headers));
    expect(answer.status, `${path}: ${await answer.clone().text()}`).toBeLessThan(300);
    return answer.json();
  };
  const get = async (node: ServiceProcess, path: string) => {
    const answer = await node.send(path);
    expect(answer.status, path).toBe(200);
    return answer.json();
  };

  const manage = async (node: ServiceProcess, path: string, method: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${MANAGEMENT_KEY}`, 'x-user-id': 'u' };
    const init = body === undefined ? { method, headers } : jsonPost(body, headers);
    const answer = await fetch(`${node.base}/management${path}`, init);
    expect(answer.ok, `${path}: ${answer.status}`).toBe(true);
    return answer.status === 204 ? undefined : answer.json();
  };

  const ways = [
    ['an earlier', 'a later', () => [earlier, later] as const],
    ['a later', 'an earlier', () => [later, earlier] as const],
  ] as const;

  it.each(ways)('recordings of %s node are shown and continued by %s one', async (_, __, nodes) => {
    const [writer, reader] = nodes();
    const file = await (await writer.upload(randomUUID(), { entity: ANN })).json();
    const outputCids = [`sha256:${randomUUID().replaceAll('-', '').repeat(2)}`];
    const made = await post(reader, '/v1/action', {
      type: 'transform',
      performedBy: 'ann',
      inputCids: [file.cid],
      outputCids,
    });
    await post(reader, '/v1/attribution', { entityId: 'ann', actionId: made.actionId, role: 'contributor' });
    for (const node of [writer, reader]) {
      const bundle = await get(node, `/v1/bundle/${outputCids[0]}`);
      expect(bundle.actions.map(({ id }: { id: string }) => id)).toEqual([file.actionId, made.actionId]);
      expect(bundle.attributions).toHaveLength(3);
      const { actions } = await get(node, '/v1/actions?limit=2');
      expect(actions[0].id).toBe(made.actionId);
      expect((await get(node, '/v1/entities')).entities).toMatchObject([ANN]);
      expect((await get(node, `/v1/action/${made.actionId}/receipt`)).record.body.id).toBe(made.actionId);
    }
  });

  it('files of an earlier node get titles from a later one, and an earlier node publishes no titles', async () => {
    const { cid } = await (await earlier.upload(randomUUID(), { entity: ANN })).json();
    expect((await get(later, `/v1/resource/${cid}`)).title).toBeUndefined();
    const init = { ...jsonPost({ title: 'Harbour' }), method: 'PATCH' };
    expect((await later.send(`/v1/resource/${cid}`, init)).status).toBe(200);
    expect((await get(later, `/v1/resource/${cid}`)).title).toBe('Harbour');
    expect((await get(earlier, `/v1/resource/${cid}`)).cid).toBe(cid);
    const shown = await post(later, '/v1/publications', { cid, titles: true });
    const plain = await post(earlier, '/v1/publications', { cid });
    const contentsOf = async (node: ServiceProcess, { id }: { id: string }) =>
      (await (await fetch(`${node.base}/app/api/public/${id}`)).json()).contents;
    expect(await contentsOf(later, shown)).toMatchObject([{ cid, title: 'Harbour' }]);
    for (const contents of [await contentsOf(earlier, shown), await contentsOf(later, plain)])
      expect(contents[0]).not.toHaveProperty('title');
  });

  it.each(ways)(
    'a key that %s node creates works at %s one until the first node revokes it',
    async (_, __, nodes) => {
      const [writer, reader] = nodes();
      const slug = `org-${randomUUID().slice(0, 8)}`;
      await manage(writer, '/orgs', 'POST', { name: 'Org', slug });
      const project = await manage(writer, '/projects', 'POST', { orgSlug: slug, name: 'Project' });
      const { id, key } = await manage(writer, '/api-keys', 'POST', { projectId: project.id, name: 'key' });
      const statusOf = async () =>
        (await reader.send('/v1/entities', { headers: { authorization: `Bearer ${key}` } })).status;
      expect(await statusOf()).toBe(200);
      await manage(writer, `/api-keys/${id}`, 'DELETE');
      await expect.poll(statusOf, { timeout: 10_000 }).toBe(401);
    },
  );

  it('each event of a webhook arrives once and with its body, whichever node creates and sends it', async () => {
    const receiver = await startReceiver();
    // One node sends four requests of a project at a time, so both nodes send requests.
    receiver.answer = (response) => void setTimeout(() => response.writeHead(204).end(), 400);
    const webhooks = 8;
    const slug = `org-${randomUUID().slice(0, 8)}`;
    await manage(later, '/orgs', 'POST', { name: 'Org', slug });
    const { id } = await manage(later, '/projects', 'POST', { orgSlug: slug, name: 'Project' });
    const { key } = await manage(later, '/api-keys', 'POST', {
      projectId: id,
      name: 'key',
      permissions: 'write',
    });
    for (let hook = 0; hook < webhooks; hook++)
      await manage(later, `/projects/${id}/webhooks`, 'POST', { url: receiver.url });
    const headers = { authorization: `Bearer ${key}` };
    await post(later, '/v1/entity', ANN, headers);
    const ids: string[] = [];
    const listCreators = () =>
      runSql(
        environment.DATABASE_URL ?? '',
        `select distinct body_id is null as "isEarlier" from provenance.webhook_delivery where project_id = '${id}'`,
      );
    // The nodes compete for each event.
    while (ids.length < 10 || (await listCreators()).length < 2) {
      for (const node of [earlier, later])
        ids.push((await post(node, '/v1/action', { performedBy: 'ann' }, headers)).actionId);
      await receiver.until(1, ({ body }) => body.includes(ids.at(-1) ?? ''));
    }
    const sent = () =>
      receiver.received.flatMap(({ message }) =>
        (message.data.actions as { id: string }[]).map(({ id }) => id),
      );
    await expect
      .poll(() => sent().sort(), { timeout: 30_000 })
      .toEqual(ids.flatMap((one) => new Array(webhooks).fill(one)).sort());
    await receiver.close();
  }, 120_000);

  it.each(ways)('data and stored responses of %s node are erased by %s one', async (_, __, nodes) => {
    const [writer, reader] = nodes();
    const { id, ...person } = { id: randomUUID(), role: 'human', name: 'Bo' };
    const sent = [{ id, ...person }, { 'idempotency-key': randomUUID() }] as const;
    await post(writer, '/v1/entity', ...sent);
    const erased = await reader.send(`/v1/entity/${id}/personal-data`, { method: 'DELETE' });
    expect([erased.status, (await erased.json()).erased]).toMatchObject([200, { entities: 1 }]);
    for (const node of nodes()) expect((await node.send('/v1/entity', jsonPost(...sent))).status).toBe(409);
  });

  it('an erasure at an earlier node deletes the title that content has from a later node', async () => {
    const entity = { id: randomUUID(), role: 'human', name: 'Bo' };
    const body = new FormData();
    body.set('file', new Blob([randomUUID()]), 'bo.txt');
    body.set('json', JSON.stringify({ entity }));
    const { cid } = await (await later.send('/v1/activity', { method: 'POST', body })).json();
    expect((await get(later, `/v1/resource/${cid}`)).title).toBe('bo.txt');
    const erased = await earlier.send(`/v1/entity/${entity.id}/personal-data`, { method: 'DELETE' });
    expect(erased.status).toBe(200);
    expect((await get(later, `/v1/resource/${cid}`)).title).toBeUndefined();
  });

  it.each(ways)('an answer of %s node to an Idempotency-Key is repeated by %s one', async (_, __, nodes) => {
    const [writer, reader] = nodes();
    const headers = { 'idempotency-key': randomUUID() };
    const first = await post(writer, '/v1/action', { performedBy: 'ann' }, headers);
    expect(await post(reader, '/v1/action', { performedBy: 'ann' }, headers)).toEqual(first);
  });

  it('proofs verify when the two nodes record and prove in turn, with both versions of the map', async () => {
    const { verifierKey } = await get(later, '/v1/log');
    const trusted = parseTrustedLog(verifierKey) as TrustedLog;
    let inputCids: string[] = [];
    for (const node of [earlier, later, earlier, later]) {
      const outputCids = [`sha256:${randomUUID().replaceAll('-', '').repeat(2)}`];
      await post(node, '/v1/action', { performedBy: 'ann', inputCids, outputCids });
      inputCids = outputCids;
      const versions: number[] = [];
      for (const [prover, query] of [
        [earlier, ''],
        [later, ''],
        [earlier, '&limit=9'],
        [later, '&proofVersion=1'],
      ] as const) {
        const bundle = await get(prover, `/v1/bundle/${outputCids[0]}?proof=true${query}`);
        const report = verifyBundle(bundle, trusted, verifyEd25519);
        expect([query, bundle.proof.version, 'code' in report && report.code]).toEqual([
          query,
          bundle.proof.version,
          false,
        ]);
        expect(report).toMatchObject({ verified: true, complete: true });
        versions.push(bundle.proof.version);
      }
      expect(versions).toEqual([2, 2, 2, 1]);
    }
  });

  it('an earlier node starts again on the later schema, and both nodes continue', async () => {
    await earlier.stop();
    earlier = await startProcess(environment, build.main);
    for (const node of [earlier, later]) await post(node, '/v1/action', { performedBy: 'ann' });
    const batch = { entities: [ANN], actions: [{ performedBy: 'ann' }] };
    expect((await post(later, '/v1/batch', batch)).actions).toHaveLength(1);
  });

  it('an upgraded database has the same SQL functions as a new database', async () => {
    const listFunctions = (url: string) =>
      runSql(
        url,
        `select oid::regprocedure::text as name from pg_proc
         where pronamespace = any(array['control', 'provenance']::regnamespace[]) order by 1`,
      );
    const present = await createMigratedDatabase(inject('postgresUrl'));
    expect(await listFunctions(environment.DATABASE_URL ?? '')).toEqual(await listFunctions(present));
  });

  it('a hand-over of the key does not disturb an earlier node, and readers follow the hand-over', async () => {
    const { verifierKey, origin } = await get(earlier, '/v1/log');
    const file = path.join(path.dirname(build.main), 'new-key');
    writeFileSync(file, '08'.repeat(32));
    const rotated = await runCli(['log', 'rotate-key', '--new-key-file', file], environment);
    expect([rotated.status, rotated.stderr]).toEqual([0, '']);
    await later.stop();
    later = await startProcess({ ...environment, SERVER_SIGNING_KEY: '08'.repeat(32) });
    const trusted = parseTrustedLog(verifierKey) as TrustedLog;
    const history = JSON.stringify(await get(later, '/v1/log/keys'));
    const report = verifyKeyHistory(history, trusted, verifyEd25519);
    if (!report.verified) throw new Error(report.code);
    expect(report).toMatchObject({ origin, keys: { length: 2 } });
    const byKeys = (receipt: unknown) =>
      verifyByKeys(report.keys, (key) => verifyReceipt(receipt, key, verifyEd25519)).report;
    for (const node of [earlier, later, earlier]) {
      const outputCids = [`sha256:${randomUUID().replaceAll('-', '').repeat(2)}`];
      const { actionId } = await post(node, '/v1/action', { performedBy: 'ann', outputCids });
      const [former, present] = await Promise.all(
        [earlier, later].map((one) => get(one, `/v1/action/${actionId}/receipt`)),
      );
      expect(verifyReceipt(former, trusted, verifyEd25519)).toMatchObject({ verified: true });
      expect(byKeys(present)).toMatchObject({ verified: true });
      expect(byKeys(former)).toEqual({ verified: false, code: 'retiredKey' });
      const proven = await get(earlier, `/v1/bundle/${outputCids[0]}?proof=true`);
      expect(verifyBundle(proven, trusted, verifyEd25519)).toMatchObject({ verified: true, complete: true });
    }
  });
});
