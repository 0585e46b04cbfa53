import { randomUUID } from 'node:crypto';
import { type PublishedHistory, parseTrustedLog, verifyBundle } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNamedProjectKey } from '../../src/access/create-key.js';
import { createVerifySignature } from '../../src/access/ed25519.js';
import { findInDatabases } from '../support/find-in-database.js';
import { ANY_ENGINE, ENGINES, jsonPost, type Service, startService } from '../support/service.js';

const ANN = { id: 'ann', role: 'human', name: 'Ann' };
const CREATE = { entity: ANN };
const patch = (body: unknown) => ({ ...jsonPost(body), method: 'PATCH' });

let service: Service;
let files = 0;

/** Sends a form whose file has this name. A large file takes the other reader of forms. */
async function upload(
  fileName: string,
  { json = {}, sizeBytes = 0 }: { json?: object; sizeBytes?: number } = {},
) {
  const form = new FormData();
  const content = `content ${++files} ${'.'.repeat(sizeBytes)}`;
  form.set('file', new Blob([content]), fileName);
  form.set('json', JSON.stringify({ ...CREATE, ...json }));
  const answer = await service.send('/v1/activity', { method: 'POST', body: form });
  return { status: answer.status, body: await answer.json(), content };
}

async function read(path: string) {
  const answer = await service.send(path);
  return { etag: answer.headers.get('etag'), body: await answer.json() };
}

const titleOf = async (cid: string) => (await read(`/v1/resource/${cid}`)).body.title;
const setTitle = (cid: string, title: unknown, key?: string) =>
  service.send(`/v1/resource/${cid}`, {
    ...patch({ title }),
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
  });

describe.each(ENGINES)('the title of a content, on %s', (engine) => {
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  it('is the name of the file, and shown with the content and in lists', async () => {
    const { body } = await upload('harbour.jpg');
    expect(await titleOf(body.cid)).toBe('harbour.jpg');
    const { resources } = (await read('/v1/resources?limit=1')).body;
    expect(resources[0]).toMatchObject({ cid: body.cid, title: 'harbour.jpg' });
  });

  it('is the stated title instead, and none if the request states null', async () => {
    expect(await titleOf((await upload('a.jpg', { json: { title: 'Harbour' } })).body.cid)).toBe('Harbour');
    expect(await titleOf((await upload('a.jpg', { json: { title: null } })).body.cid)).toBeUndefined();
  });

  it('changes with PATCH at once, also in stored answers', async () => {
    const { cid } = (await upload('before.jpg')).body;
    const before = [await read(`/v1/resource/${cid}`), await read('/v1/resources?limit=1')];
    expect(before.map(({ body }) => (body.resources?.[0] ?? body).title)).toEqual(['before.jpg', 'before.jpg']);
    expect(await (await setTitle(cid, 'After')).json()).toEqual({ cid, title: 'After' });
    const after = [await read(`/v1/resource/${cid}`), await read('/v1/resources?limit=1')];
    expect(after.map(({ body }) => (body.resources?.[0] ?? body).title)).toEqual(['After', 'After']);
    expect(after.map(({ etag }) => etag)).not.toEqual(before.map(({ etag }) => etag));
    await setTitle(cid, null);
    expect(await titleOf(cid)).toBeUndefined();
  });

  it('can be set for content that is only an input, by alias too, and stays when its bytes arrive', async () => {
    const other = await upload('x.jpg', { json: { title: 'Known' } });
    const { cid, content } = other;
    expect(cid).toBeUndefined();
    const alias = `sha256:${'0'.repeat(64)}`;
    await service.send(
      '/v1/action',
      jsonPost({ type: 'verify', performedBy: 'ann', inputCids: [alias], outputCids: [] }),
    );
    expect(await (await setTitle(alias, 'Only an input')).json()).toMatchObject({ title: 'Only an input' });
    const asked = jsonPost({ cids: [alias, other.body.cid, 'sha256:'.padEnd(71, '1')] });
    const { titles } = await (await service.send('/v1/titles', asked)).json();
    expect(titles).toEqual({ [alias]: 'Only an input', [other.body.cid]: 'Known' });
    expect(content).toContain('content');
  });

  it('is in no receipt, bundle or proof, and the same records without it have the same digests', async () => {
    const actionId = randomUUID();
    const action = { id: actionId, type: 'create', timestamp: '2026-03-02T09:10:00.000Z' };
    const word = `secret-${randomUUID()}`;
    const { body } = await upload(`${word}.jpg`, { json: { action, title: word } });
    const places = [
      `/v1/action/${actionId}/receipt`,
      `/v1/bundle/${body.cid}`,
      `/v1/bundle/${body.cid}?proof=true`,
      `/v1/action/${actionId}`,
    ];
    for (const path of places) expect(await (await service.send(path)).text(), path).not.toContain(word);
    const columns = await findInDatabases(service.context.databases, word);
    expect(columns).toEqual(['provenance.content_title.title']);
    const digest = (await read(`/v1/action/${actionId}`)).body.digest;
    await setTitle(body.cid, 'Another');
    expect((await read(`/v1/action/${actionId}`)).body.digest).toBe(digest);
    const { body: key } = await read('/v1/log/key').catch(() => ({ body: undefined }));
    void key;
  });

  it('is gone after an erasure of its maker, from all columns', async () => {
    const entity = { id: `bo-${randomUUID()}`, role: 'human', name: 'Bo' };
    const names = ['one', 'two'].map((name) => `${name}-${randomUUID()}.jpg`);
    const made = await upload(names[0] ?? '', { json: { entity } });
    const referenced = await upload(names[1] ?? '', { json: { entity, action: { type: 'reference' } } });
    const kept = await upload('kept.jpg');
    expect(await titleOf(referenced.body.cid)).toBe(names[1]);
    await service.send(`/v1/entity/${entity.id}/personal-data`, { method: 'DELETE' });
    for (const { body } of [made, referenced]) expect(await titleOf(body.cid)).toBeUndefined();
    for (const name of names) expect(await findInDatabases(service.context.databases, name)).toEqual([]);
    expect(await titleOf(kept.body.cid)).toBe('kept.jpg');
  });
});
