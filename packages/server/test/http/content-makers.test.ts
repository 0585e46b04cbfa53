import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseContentId, type TitledResource } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/platform/db/database.js';
import { readMakers } from '../../src/records/read/content-makers.sql.js';
import { ANY_ENGINE, jsonPost, OTHER_KEY, type Service, startService } from '../support/service.js';

const MIGRATION = new URL(
  '../../src/platform/db/migrations/provenance/0183-content-makers.sql',
  import.meta.url,
);
const sha256Name = (content: string) =>
  String(parseContentId(`sha256:${createHash('sha256').update(content).digest('hex')}`));

interface Sent {
  title: string;
  content?: string;
  entity?: object;
  action?: object;
}

describe('the present makers of the contents in a list', () => {
  let service: Service;
  const names = new Map<string, string>();

  const record = async (name: string, { content = name, ...json }: Sent) => {
    const entity = { id: 'ann', role: 'human' };
    const answer = await service.upload(content, { entity, ...json });
    expect(answer.status).toBe(201);
    const { cid } = await answer.json();
    names.set(cid, name);
    return cid as string;
  };
  const get = async (query: string) => {
    const answer = await service.send(`/v1/resources?${query}`);
    return { status: answer.status, body: await answer.json() };
  };
  const list = async (query: string): Promise<string[]> => {
    const { status, body } = await get(query);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.resources.map(({ cid }: { cid: string }) => names.get(cid));
  };
  const fill = async () => {
    const sql = readFileSync(MIGRATION, 'utf8');
    const { provenance } = service.context.databases;
    await provenance.transaction((tx) => tx.exec(sql.slice(sql.indexOf('insert into'))));
  };
  const made = (cid: string, performedBy: string, action: object = {}) =>
    act({ type: 'create', performedBy, outputCids: [cid], ...action });
  const act = async (action: object) => {
    const answer = await service.send('/v1/action', jsonPost(action));
    expect(answer.status, JSON.stringify(action)).toBe(201);
    return (await answer.json()).action.id as string;
  };
  const isRecorded = async (cid: string) => (await (await service.send(`/v1/bundle/${cid}`)).json()).actions;
  const named = async (name: string, by = 'ann', action: object = {}) => {
    const entity = { id: by, role: 'human', name: by.toUpperCase() };
    const cid = await record(name, { title: name, entity, action });
    return { cid, actionId: (await isRecorded(cid))[0].id as string };
  };
  const mark = (markedCid: string, performedBy: string, name: string) =>
    named(name, performedBy, {
      ...{ type: 'generate', inputCids: [markedCid] },
      extensions: {
        'ext:mark@1.0.0': { aiDisclosure: 'ai_generated', generator: { name: 'Studio' }, markedCid },
      },
    });
  const correction = (actionId: string) => ({ extensions: { 'ext:correction@1.0.0': { actionId } } });
  /** Checks that the filter `maker` finds the content by each of its makers. */
  const makersOf = async (title: string) => {
    const finding: string[] = [];
    for (const id of ['ann', 'ben', 'cy', 'di'])
      for (const name of await list(`title=${title}&maker=${id}`)) finding.push(`${id} ${name}`);
    const [shown] = (await get(`title=${title}`)).body.resources as [TitledResource];
    const { makers = [{ id: shown.createdBy ?? '' }] } = shown;
    expect(finding).toEqual(makers.map(({ id }) => `${id} ${title}`).sort());
    return makers.map(({ id }) => id);
  };
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    for (const id of ['ann', 'ben', 'cy', 'di'])
      await service.send('/v1/entity', jsonPost({ id, role: 'human' }));
  });
  afterAll(() => service.stop());

  it('are all entities that made the content, also if several made it in one batch', async () => {
    const { cid } = await named('Shared');
    await made(cid, 'ben');
    await made(cid, 'ann');
    await made(cid, 'di', { type: 'verify' });
    expect(await makersOf('Shared')).toEqual(['ann', 'ben']);
    const output = sha256Name('batched');
    names.set(output, 'Batched');
    const actions = ['cy', 'di', 'cy'].map((performedBy) => ({
      ...{ type: 'create', performedBy, outputCids: [output] },
    }));
    const answer = await service.send('/v1/batch', jsonPost({ actions }));
    expect(answer.status, await answer.clone().text()).toBe(201);
    await service.send(`/v1/resource/${output}`, { ...jsonPost({ title: 'Batched' }), method: 'PATCH' });
    expect(await makersOf('Batched')).toEqual(['cy', 'di']);
  });

  it('of a marked copy are those of its original, also after a later correction', async () => {
    const { cid, actionId } = await named('Source');
    const copy = await mark(cid, 'ben', 'Copy');
    await mark(copy.cid, 'cy', 'Twice');
    await mark(cid, 'ann', 'Own');
    expect([await makersOf('Copy'), await makersOf('Twice'), await makersOf('Own')]).toEqual([
      ['ann'],
      ['ann'],
      ['ann'],
    ]);
    await made(cid, 'di', correction(actionId));
    for (const title of ['Source', 'Copy', 'Own']) expect(await makersOf(title), title).toEqual(['di']);
    // The correction adds no row for a copy of a copy, so the filter does not find it.
    const { resources } = (await get('title=twice')).body;
    expect(resources[0].makers.map(({ id }: { id: string }) => id)).toEqual(['di']);
    expect(await list('title=twice&maker=di')).toEqual([]);
  });

  it('are stored if one batch has a content, its marked copy and a marked copy of that copy', async () => {
    const [first = '', copy = '', twice = ''] = ['First', 'First copy', 'First copied twice'].map(sha256Name);
    const marking = (input: string, output: string) => ({
      ...{ type: 'generate', inputCids: [input], outputCids: [output] },
      extensions: {
        'ext:mark@1.0.0': { aiDisclosure: 'ai_generated', generator: { name: 'Studio' }, markedCid: input },
      },
    });
    const actions = [
      { type: 'create', performedBy: 'ann', outputCids: [first] },
      { ...marking(first, copy), performedBy: 'ben' },
      { ...marking(copy, twice), performedBy: 'cy' },
      { type: 'create', performedBy: 'di', outputCids: [first] },
    ];
    const answer = await service.send('/v1/batch', jsonPost({ actions }));
    expect(answer.status, await answer.clone().text()).toBe(201);
    for (const [cid, title] of [
      [copy, 'Once'],
      [twice, 'Again'],
    ] as const) {
      names.set(cid, title);
      await service.send(`/v1/resource/${cid}`, { ...jsonPost({ title }), method: 'PATCH' });
      expect((await makersOf(title)).toSorted(), title).toEqual(['ann', 'di']);
    }
  });

  it('take at most 9 rows for a marked copy; a correction adds a row to at most 8 copies', async () => {
    const { cid } = await named('Popular');
    for (const n of [1, 2, 3, 4, 5, 6, 7, 8, 9]) {
      const id = `maker ${n}`;
      await service.send('/v1/entity', jsonPost({ id, role: 'human' }));
      if (n < 8) await made(cid, id);
    }
    const rowsOf = async (title: string) =>
      (
        await service.context.databases.provenance.query<{ id: string }>(
          'select m.entity_id as id from provenance.content_maker m where m.cid = $1 order by 1',
          [[...names].find(([, name]) => name === title)?.[0]],
        )
      ).map(({ id }) => id);
    const seven = [1, 2, 3, 4, 5, 6, 7].map((n) => `maker ${n}`);
    expect(await rowsOf('Popular')).toEqual(seven);
    await mark(cid, 'ben', 'Popular marked');
    expect(await rowsOf('Popular marked')).toEqual(['ann', ...seven]);
    // The reader skips a content with more than 8 actions.
    await made(cid, 'maker 8');
    await made(cid, 'maker 9');
    expect(await rowsOf('Popular')).toEqual(seven);
    const { cid: corrected, actionId } = await named('Often');
    const copies = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `Often ${n}`);
    for (const title of copies) await mark(corrected, 'ben', title);
    await made(corrected, 'di', correction(actionId));
    const noted = [];
    for (const title of copies) if ((await rowsOf(title)).includes('di')) noted.push(title);
    expect(noted).toEqual(copies.slice(0, 8));
  });

  it('are found through four marks, so a fifth copy gets the creator of the first copy', async () => {
    let { cid } = await named('Chain');
    for (const [place, by] of ['ben', 'cy', 'di', 'ann', 'cy'].entries())
      ({ cid } = await mark(cid, by, `Chained ${place}`));
    expect(await makersOf('Chained 4')).toEqual(['ben']);
    expect(await makersOf('Chained 3')).toEqual(['ann']);
  });

  it('need no row for a content with one maker, also if this maker marked it', async () => {
    const { cid } = await named('Alone');
    const copy = await mark(cid, 'ann', 'Alone too');
    const rows = await service.context.databases.provenance.query(
      'select from provenance.content_maker m where m.cid = any($1)',
      [[cid, copy.cid]],
    );
    expect(rows).toEqual([]);
    expect(await list('maker=ann&title=alone')).toEqual(['Alone too', 'Alone']);
  });

  it('of a copy are its first creator if the makers of the original are unknown', async () => {
    const { cid } = await named('Unknown', 'ann', { type: 'reference' });
    const { cid: orphan } = await mark(cid, 'ben', 'Orphan');
    await mark(orphan, 'cy', 'Foundling');
    expect(await makersOf('Orphan')).toEqual(['ben']);
    expect(await makersOf('Foundling')).toEqual(['cy']);
  });

  it('of two identifiers that become one content are the makers of both', async () => {
    const content = randomBytes(2 ** 20).toString('hex');
    const headers = { authorization: `Bearer ${OTHER_KEY}` };
    const { cid } = await (await service.upload(content, undefined, headers)).json();
    await made(cid, 'ben', { type: 'transform' });
    await made(sha256Name(content), 'cy', { type: 'transform' });
    await made(sha256Name(content), 'di', { type: 'transform' });
    await record('Merged', { title: 'Merged', content });
    expect((await makersOf('Merged')).toSorted()).toEqual(['ann', 'ben', 'cy', 'di']);
  });

  it('find contents in the order of the list, page by page, together with other filters', async () => {
    const cids = [];
    for (const n of [1, 2, 3, 4, 5]) cids.push(await named(`Paged ${n}`, n % 2 === 0 ? 'di' : 'ann'));
    for (const { cid } of cids) await made(cid, 'di');
    const found = ['Paged 5', 'Paged 4', 'Paged 3', 'Paged 2', 'Paged 1'];
    expect(await list('title=paged&maker=di&type=text')).toEqual(found);
    expect((await list('maker=di&limit=200')).slice(0, 5)).toEqual(found);
    const first = (await get('maker=di&limit=2')).body;
    const second = (await get(`maker=di&limit=2&cursor=${encodeURIComponent(first.nextCursor)}`)).body;
    const shown = [...first.resources, ...second.resources] as TitledResource[];
    expect(shown.map(({ cid }) => names.get(cid))).toEqual(found.slice(0, 4));
  });

  it('400 InvalidField: an offset with the filter for makers', async () => {
    const { status, body } = await get('maker=di&offset=1');
    expect([status, body.error.code, body.error.message]).toEqual([
      400,
      'InvalidField',
      'The filter maker allows no offset.',
    ]);
  });

  it('the migration notes the makers of earlier records', async () => {
    const { provenance } = service.context.databases;
    const { cid } = await named('Basis');
    await made(cid, 'di');
    const { cid: copy } = await mark(cid, 'ben', 'Basis 1');
    await mark(copy, 'cy', 'Basis 2');
    const titles = ['Shared', 'Copy', 'Own', 'Orphan', 'Paged 2', 'Merged', 'Again', 'Basis 1', 'Basis 2'];
    const before = await Promise.all(titles.map(makersOf));
    expect(before.slice(-2)).toEqual([
      ['ann', 'di'],
      ['ann', 'di'],
    ]);
    await provenance.query('delete from provenance.content_maker');
    await fill();
    expect(await Promise.all(titles.map(makersOf))).toEqual(before);
    // The migration runs after the correction, so it also notes the copy of a copy.
    expect(await makersOf('Twice')).toEqual(['di']);
  });
});

it('content with unread actions has its first creator as the maker, or is omitted', async () => {
  const action = {
    ...{ isLarge: false, type: 'create', inputCids: [], corrects: null, mark: null, marked: null },
    ...{ name: null, markedBy: null, markedName: null, total: 2 },
  };
  const rows = [
    { ...action, cid: 'cut', createdBy: 'ann', id: '1', performedBy: 'ben', outputCids: ['cut'] },
    { ...action, cid: 'imported', createdBy: null, id: '2', performedBy: 'ben', outputCids: ['imported'] },
    {
      ...action,
      cid: 'whole',
      createdBy: 'ann',
      id: '3',
      performedBy: 'ben',
      outputCids: ['whole'],
      total: 1,
    },
    {
      ...action,
      ...{ cid: 'copy', createdBy: 'ann', id: '4', performedBy: 'ann', outputCids: ['copy'], total: 1 },
      ...{ inputCids: ['unread'], marked: 'unread', markedBy: 'cy', markedName: 'Cy' },
      mark: { aiDisclosure: 'ai_generated', markedCid: 'unread' },
    },
  ];
  const db = { query: async () => rows } as unknown as Database;
  const found = await readMakers(db, 'project', ['cut', 'imported', 'whole', 'copy']);
  expect([...found].map(([cid, { makers }]) => [cid, makers])).toEqual([
    ['cut', [{ id: 'ann' }]],
    ['whole', [{ id: 'ben' }]],
    ['copy', [{ id: 'cy', name: 'Cy' }]],
  ]);
});
