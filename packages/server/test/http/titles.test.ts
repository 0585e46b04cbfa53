import { createHash, randomUUID } from 'node:crypto';
import { type PublishedHistory, parseContentId, titleSchema, toShownTitle } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNamedProjectKey } from '../../src/access/create-key.js';
import { findInDatabases } from '../support/find-in-database.js';
import { PNG } from '../support/media.js';
import { ANY_ENGINE, jsonPost, KEY, OTHER_KEY, type Service, startService } from '../support/service.js';

const ANN = { id: 'ann', role: 'human', name: 'Ann' };
/** The service streams a form above this size. */
const LARGE_BYTES = 1_200_000;
/** A content of this size has an alias: the CID of its plain SHA-256. */
const large = (start: string) => start.padEnd(LARGE_BYTES, '.');

let service: Service;
let files = 0;

interface Sent {
  json?: object;
  content?: string;
  headers?: Record<string, string>;
}

async function upload(fileName: string, { json, content = `content ${++files}`, headers }: Sent = {}) {
  const body = new FormData();
  body.set('file', new Blob([content]), fileName);
  body.set('json', JSON.stringify({ entity: ANN, ...json }));
  const answer = await service.send('/v1/activity', { method: 'POST', body, ...(headers && { headers }) });
  return { status: answer.status, ...(await answer.json()) };
}

async function read(path: string) {
  const answer = await service.send(path);
  return { etag: answer.headers.get('etag'), text: await answer.text() };
}

const titleOf = async (cid: string) => JSON.parse((await read(`/v1/resource/${cid}`)).text).title;
const setTitle = async (cid: string, title: unknown, headers: Record<string, string> = {}) => {
  const init = { ...jsonPost({ title }, headers), method: 'PATCH' };
  const answer = await service.send(`/v1/resource/${cid}`, init);
  return { status: answer.status, body: await answer.json() };
};
const titlesOf = async (...cids: string[]) => {
  const answer = await service.send('/v1/titles', jsonPost({ cids }));
  return (await answer.json()).titles;
};
const sha256Name = (content: string) =>
  parseContentId(`sha256:${createHash('sha256').update(content).digest('hex')}`) ?? '';

describe('the title of a content', () => {
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
  });
  afterAll(() => service.stop());

  it('is the name of its file, and the API shows it with the content and in lists', async () => {
    const { cid } = await upload('harbour.jpg');
    expect(await titleOf(cid)).toBe('harbour.jpg');
    const { resources } = JSON.parse((await read('/v1/resources?limit=1')).text);
    expect(resources).toMatchObject([{ cid, title: 'harbour.jpg' }]);
  });

  it('is the title in the request, where null means no title', async () => {
    expect(await titleOf((await upload('a.jpg', { json: { title: 'Harbour' } })).cid)).toBe('Harbour');
    expect(await titleOf((await upload('a.jpg', { json: { title: null } })).cid)).toBeUndefined();
  });

  it('changes at once with PATCH, also in cached answers', async () => {
    const { cid } = await upload('before.jpg');
    const paths = [`/v1/resource/${cid}`, '/v1/resources?limit=1'];
    const readAll = () => Promise.all(paths.map(read));
    // The second read is from the cache.
    for (const { text } of [...(await readAll()), ...(await readAll())]) expect(text).toContain('before.jpg');
    const before = await readAll();
    expect(await setTitle(cid, 'After')).toEqual({ status: 200, body: { cid, title: 'After' } });
    const after = await readAll();
    for (const [index, { text, etag }] of after.entries()) {
      expect(text).toContain('"After"');
      expect(etag).not.toBe(before[index]?.etag);
    }
    await setTitle(cid, null);
    expect(await titleOf(cid)).toBeUndefined();
  });

  it('can be set for content that is only an input, and stays when its bytes arrive', async () => {
    const content = large(`${randomUUID()} `);
    const alias = sha256Name(content);
    await service.send('/v1/entity', jsonPost(ANN));
    await service.send('/v1/action', jsonPost({ type: 'verify', performedBy: 'ann', inputCids: [alias] }));
    expect(await setTitle(alias, 'Only an input')).toMatchObject({ status: 200, body: { cid: alias } });
    const { cid } = await upload('arrived.txt', { content });
    expect(cid).not.toBe(alias);
    expect(await titlesOf(alias, cid)).toEqual({ [alias]: 'Only an input', [cid]: 'Only an input' });
    expect(await setTitle(alias, 'By alias')).toMatchObject({ body: { cid, title: 'By alias' } });
    expect(await titleOf(cid)).toBe('By alias');
  });

  it('of content known before an upload changes only if the upload states a title or null', async () => {
    const sent = async (json: object) => {
      const content = `known before ${++files}`;
      const cid = sha256Name(content);
      await service.send('/v1/action', jsonPost({ type: 'verify', performedBy: 'ann', inputCids: [cid] }));
      await setTitle(cid, 'Known before');
      await upload('a.txt', { content, json });
      return titleOf(cid);
    };
    expect(await sent({})).toBe('Known before');
    expect(await sent({ title: 'Stated' })).toBe('Stated');
    expect(await sent({ title: null })).toBeUndefined();
  });

  it('is in one column only, and in no receipt, bundle, proof or stored response', async () => {
    const [word, key] = [`secret-${randomUUID()}`, randomUUID()];
    const headers = { 'idempotency-key': key };
    const { cid, actionId } = await upload(`${word}.jpg`, { headers });
    await setTitle(cid, word);
    const about = [`bundle/${cid}`, `bundle/${cid}?proof=true`, `graph/${cid}`, `action/${actionId}`];
    for (const path of [...about, `action/${actionId}/receipt`])
      expect((await read(`/v1/${path}`)).text, path).not.toContain(word);
    const columns = await findInDatabases(service.context.databases, word);
    expect(columns).toEqual(['provenance.content_title.title']);
  });

  it('is deleted by an erasure of the entity that recorded the file', async () => {
    const entity = { id: `bo-${randomUUID()}`, role: 'human', name: 'Bo' };
    const names = Array.from({ length: 3 }, () => `${randomUUID()}.jpg`) as [string, string, string];
    const made = await upload(names[0], { json: { entity } });
    const found = await upload(names[1], { json: { entity, action: { type: 'reference' } } });
    const kept = await upload('kept.jpg');
    await setTitle(made.cid, names[2]);
    expect([await titleOf(made.cid), await titleOf(found.cid)]).toEqual([names[2], names[1]]);
    const { status } = await service.send(`/v1/entity/${entity.id}/personal-data`, { method: 'DELETE' });
    expect(status).toBe(200);
    expect([await titleOf(made.cid), await titleOf(found.cid)]).toEqual([undefined, undefined]);
    for (const name of names) expect(await findInDatabases(service.context.databases, name)).toEqual([]);
    expect(await titleOf(kept.cid)).toBe('kept.jpg');
  });
});

describe('titles', () => {
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    await service.send('/v1/entity', jsonPost(ANN));
  });
  afterAll(() => service.stop());

  it.each([
    ['C:\\photos\\harbour.jpg', 'harbour.jpg'],
    ['/home/ann/harbour.jpg', 'harbour.jpg'],
    ['Ma\u0308dchen \u202Egpj.png', 'M\u00E4dchen gpj.png'],
    ['a\u202A\u0308.png', 'ä.png'],
    ['ä'.repeat(250), 'ä'.repeat(200)],
    ['blob', undefined],
    ['file.bin', undefined],
    ['folder/', undefined],
  ])('from the file name %j are %j, with both readers of forms', async (fileName, title) => {
    for (const content of [`small ${++files}`, large(`large ${++files} `)])
      expect(await titleOf((await upload(fileName, { content })).cid)).toBe(title);
  });

  it.each([
    ['', 'Expected 1 to 200 characters'],
    [' x', 'white space'],
    ['x'.repeat(201), '200'],
    ['two\nlines', 'control characters'],
    ['\u202Egpj', 'direction'],
    [5, 'string'],
    [undefined, 'title'],
  ])('are refused as %j with the reason %j', async (title, reason) => {
    const { cid } = await upload('refused.jpg');
    const { status, body } = await setTitle(cid, title);
    expect(status).toBe(422);
    expect(JSON.stringify(body.error)).toMatch(new RegExp(reason));
    expect(await titleOf(cid)).toBe('refused.jpg');
    if (title !== undefined) expect((await upload('x.jpg', { json: { title } })).status).toBe(422);
  });

  it('with many accents in a row are rejected or cut before their slow normalisation', () => {
    const long = `a${'\u0301\u0316'.repeat(250_000)}`;
    expect(titleSchema.safeParse(long).error?.issues).toMatchObject([
      { message: 'Expected at most 200 characters' },
    ]);
    expect(toShownTitle(long)).toHaveLength(200);
    expect(titleSchema.parse('e\u0301'.repeat(200))).toBe('é'.repeat(200));
  }, 20_000);

  it('of unknown content cannot be set', async () => {
    const { status, body } = await setTitle(sha256Name('never recorded'), 'Nothing');
    expect([status, body.error.code]).toEqual([404, 'NotFound']);
  });

  it('are in no digest, not even in that of the request', async () => {
    const action = { id: randomUUID(), type: 'create', timestamp: '2026-03-02T09:10:00.000Z' };
    const content = `same ${randomUUID()}`;
    const first = await upload('one.jpg', { content, json: { action, title: 'One' } });
    expect(first.status).toBe(201);
    const again = await upload('two.jpg', { content, json: { action, title: 'Two' } });
    expect(again).toMatchObject({ status: 200, actionId: action.id });
    expect(await titleOf(first.cid)).toBe('One');
    const headers = { authorization: `Bearer ${OTHER_KEY}` };
    await upload('blob', { content, json: { action, title: null }, headers });
    const digests = await Promise.all(
      [{}, { headers }].map(
        async (init) => (await (await service.send(`/v1/action/${action.id}`, init)).json()).digest,
      ),
    );
    expect(digests[0]).toMatch(/^sha256:/);
    expect(digests[0]).toBe(digests[1]);
  });

  it.each(['/v1/activity', '/v1/mark'])(
    'may differ in two requests to %s with one Idempotency-Key: both get the first response',
    async (path) => {
      // A format without manifests, so no signature covers the title.
      const content = `\u0000\u0001\u0002\u0003${randomUUID()}`;
      const said =
        path === '/v1/mark' ? { entityId: 'ann', generator: 'Studio', aiDisclosure: null } : { entity: ANN };
      const send = async (title: string | null, headers: Record<string, string>) => {
        const body = new FormData();
        body.set('file', new Blob([content]), 'keyed.dat');
        body.set('json', JSON.stringify({ ...said, title }));
        const answer = await service.send(path, { method: 'POST', body, headers });
        return { status: answer.status, ...(await answer.json()) };
      };
      const headers = { 'idempotency-key': randomUUID() };
      const first = await send('One', headers);
      expect(first.status).toBe(201);
      for (const title of ['Two', null]) expect(await send(title, headers)).toEqual(first);
      expect(await titleOf(first.cid)).toBe('One');
    },
  );

  it('of signed files come from the request or file name; imports and unversioned /activity set none', async () => {
    const said = { entityId: 'ann', generator: 'Studio', aiDisclosure: null };
    const send = async (
      path: string,
      json?: object,
      { file = PNG, as = KEY }: { file?: Uint8Array; as?: string } = {},
    ) => {
      const body = new FormData();
      body.set('file', new Blob([file as BlobPart]), 'poster.png');
      if (json !== undefined) body.set('json', JSON.stringify({ ...said, ...json }));
      const headers = { authorization: `Bearer ${as}` };
      const { cid } = await (await service.send(path, { method: 'POST', body, headers })).json();
      return { cid, title: (await (await service.send(`/v1/resource/${cid}`, { headers })).json()).title };
    };
    const embedded = await send('/v1/media/embed', { title: 'AC/DC live' });
    expect(embedded.title).toBe('AC/DC live');
    expect((await send('/v1/mark', { watermark: false })).title).toBe('poster.png');
    const untitled = await send('/v1/mark', { watermark: false, title: null });
    expect(untitled).toEqual({ cid: expect.any(String), title: undefined });
    const content = await service.send(`/v1/resource/${embedded.cid}/content`);
    const file = new Uint8Array(await content.arrayBuffer());
    const plain = await send('/activity', { entity: ANN }, { file: Buffer.from(randomUUID()) });
    expect(plain).toEqual({ cid: expect.any(String), title: undefined });
    const imported = await send('/v1/media/import', undefined, { file, as: OTHER_KEY });
    expect(imported).toEqual({ cid: embedded.cid, title: undefined });
  });

  it('of outputs are erased for all actions of an entity, however many it has', async () => {
    await service.send('/v1/entity', jsonPost({ id: 'busy', role: 'ai' }));
    const cids = Array.from({ length: 450 }, (_, index) => sha256Name(`output ${index}`));
    const actions = cids.map((cid) => ({ type: 'generate', performedBy: 'busy', outputCids: [cid] }));
    expect((await service.send('/v1/batch', jsonPost({ actions }))).status).toBe(201);
    const wide = cids.slice(0, 200).map((_, index) => sha256Name(`wide ${index}`));
    const outputs = { type: 'generate', performedBy: 'busy', outputCids: wide };
    for (let turn = 0; turn < 6; turn++) await service.send('/v1/action', jsonPost(outputs));
    const sample = [cids[0], cids[199], cids[200], cids[449], wide[199]].map((cid) => cid ?? '');
    for (const cid of sample) await setTitle(cid, 'Busy');
    expect(Object.keys(await titlesOf(...sample))).toHaveLength(5);
    await service.send('/v1/entity/busy/personal-data', { method: 'DELETE' });
    expect(await titlesOf(...sample)).toEqual({});
  });

  it('belong to one project', async () => {
    const { cid } = await upload('mine.jpg');
    const headers = { authorization: `Bearer ${OTHER_KEY}` };
    expect((await setTitle(cid, 'Theirs', headers)).status).toBe(404);
    const answer = await service.send('/v1/titles', jsonPost({ cids: [cid] }, headers));
    expect(await answer.json()).toEqual({ titles: {} });
    expect(await titleOf(cid)).toBe('mine.jpg');
  });

  it('are set only with the permission `write`, and by a bound key only for content of its entity', async () => {
    const { control } = service.context.databases;
    const keyOf = async (permission: 'read' | 'write', entityId?: string) => {
      const options = { projectName: 'one', name: randomUUID(), permission, ...(entityId && { entityId }) };
      return `Bearer ${(await createNamedProjectKey(control, options)).key}`;
    };
    await service.send('/v1/entity', jsonPost({ id: 'cy', role: 'human' }));
    const { cid } = await upload('of-ann.jpg');
    const statusWith = async (authorization: string) =>
      (await setTitle(cid, 'New', { authorization })).status;
    expect(await statusWith(await keyOf('read'))).toBe(403);
    expect(await statusWith(await keyOf('write', 'cy'))).toBe(403);
    expect(await titleOf(cid)).toBe('of-ann.jpg');
    expect(await statusWith(await keyOf('write', 'ann'))).toBe(200);
  });

  it('are read for at most 500 contents at once', async () => {
    const cids = Array.from({ length: 501 }, (_, index) => sha256Name(`many ${index}`));
    expect((await service.send('/v1/titles', jsonPost({ cids }))).status).toBe(422);
    expect(await titlesOf(...cids.slice(1))).toEqual({});
  });

  it('are published only if the publisher chooses this, and readers get the present titles', async () => {
    const word = `name-${randomUUID()}`;
    const source = await upload(`${word}.jpg`);
    const made = await upload(`${word}.png`, {
      json: { action: { type: 'transform', inputCids: [source.cid] } },
    });
    const publish = async (more: object) =>
      (await service.send('/v1/publications', jsonPost({ cid: made.cid, withhold: [], ...more }))).json();
    const textsOf = async (id: string) => {
      const paths = [id, `${id}/summary`, `${id}/proof`];
      const answers = paths.map((path) => fetch(`${service.base}/app/api/public/${path}`));
      return Promise.all(answers.map(async (answer) => (await answer).text()));
    };
    const plain = await publish({});
    expect(plain.titles).toBe(false);
    expect((await textsOf(plain.id)).join()).not.toContain(word);
    const shown = await publish({ titles: true });
    await setTitle(source.cid, `${word} changed`);
    const [history = '', ...others] = await textsOf(shown.id);
    const { contents } = JSON.parse(history) as PublishedHistory;
    const titles = Object.fromEntries(contents.map(({ cid, title }) => [cid, title]));
    expect(titles).toEqual({ [source.cid]: `${word} changed`, [made.cid]: `${word}.png` });
    expect(others.join()).not.toContain(word);
  });
});
