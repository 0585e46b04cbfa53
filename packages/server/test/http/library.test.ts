import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseContentId, type TitledResource } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANY_ENGINE, jsonPost, OTHER_KEY, type Service, startService } from '../support/service.js';

const MIGRATION = new URL(
  '../../src/platform/db/migrations/provenance/0161-library-fill.sql',
  import.meta.url,
);
const PAINTER = { provider: 'Acme', model: 'painter-7' };
const sha256Name = (content: string) =>
  String(parseContentId(`sha256:${createHash('sha256').update(content).digest('hex')}`));

interface Sent {
  title: string | null;
  entity?: object;
  action?: object;
  content?: string;
}

describe('the list of contents as a library', () => {
  let service: Service;
  const names = new Map<string, string>();

  const record = async (name: string, { content = name, entity, action, ...json }: Sent) => {
    const said = { entity: { id: 'ann', role: 'human', name: 'Ann' }, ...(entity && { entity }) };
    const answer = await service.upload(content, { ...said, ...(action && { action }), ...json });
    expect(answer.status).toBe(201);
    const { cid } = await answer.json();
    names.set(cid, name);
    return cid as string;
  };
  const get = async (query: string, headers: Record<string, string> = {}) => {
    const answer = await service.send(`/v1/resources?${query}`, { headers });
    return { status: answer.status, body: await answer.json() };
  };
  const list = async (query: string): Promise<string[]> => {
    const { status, body } = await get(query);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.resources.map(({ cid }: { cid: string }) => names.get(cid));
  };
  const resource = async (cid: string): Promise<TitledResource> =>
    (await service.send(`/v1/resource/${cid}`)).json();

  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    const plain = await record('plain', { title: 'Plakat: Hafen-Fest' });
    await record('generated', {
      title: 'Harbour festival, night',
      action: { type: 'generate', aiTool: PAINTER },
    });
    await record('edited', {
      title: 'HÄRBÖUR (édité) ПРИВЕТ',
      action: { type: 'transform', inputCids: [plain], aiTool: PAINTER },
    });
    await record('robot', { title: 'Song of a robot', entity: { id: 'bot', role: 'ai', name: 'Bot' } });
    await record('long word', { title: '\uD55C'.repeat(40) });
    await record('found', { title: null, action: { type: 'reference' } });
    const body = new FormData();
    body.set('file', new Blob([`\u0000\u0001`]), 'Drawn by hand.dat');
    body.set('json', JSON.stringify({ entityId: 'ann', generator: 'Studio', aiDisclosure: null }));
    const marked = await service.send('/v1/mark', { method: 'POST', body });
    names.set((await marked.json()).cid, 'by hand');
  });
  afterAll(() => service.stop());

  it.each([
    ['title=harb', ['edited', 'generated']],
    ['title=HARBOUR%20fest', ['generated']],
    ['title=fest', ['generated', 'plain']],
    ['title=edite', ['edited']],
    ['title=%C3%89dit%C3%A9', ['edited']],
    ['title=%D0%BF%D1%80%D0%B8', ['edited']],
    ['title=arbour', []],
    ['ai=generated', ['robot', 'generated']],
    ['ai=assisted', ['edited']],
    ['ai=human', ['by hand']],
    ['ai=unstated', ['found', 'long word', 'plain']],
    ['tool=Acme%20painter-7', ['edited', 'generated']],
    ['tool=acme%20painter-7', []],
    ['mimeType=text/*', ['found', 'long word', 'robot', 'edited', 'generated', 'plain']],
    ['mimeType=text/plain&ai=assisted', ['edited']],
    ['mimeType=image/*', []],
    ['creator=bot&ai=generated', ['robot']],
    ['title=harb&ai=generated&tool=Acme%20painter-7&type=text&creator=ann&mimeType=text/*', ['generated']],
    ['title=harb&until=2000-01-01T00:00:00Z', []],
    ['title=song&since=2000-01-01T00:00:00Z', ['robot']],
  ])('%s finds %j', async (query, found) => {
    expect(await list(query)).toEqual(found);
  });

  it('finds a title by a complete word that has more than 64 characters in decomposed form', async () => {
    // A Hangul syllable becomes up to three characters.
    expect(await list(`title=${encodeURIComponent('\uD55C'.repeat(40))}`)).toEqual(['long word']);
  });

  it('pages by cursor, each content once, also when a filter excludes most contents', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const from: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { body } = await get(`title=fest&limit=1${from}`);
      seen.push(...body.resources.map(({ cid }: TitledResource) => String(names.get(cid))));
      cursor = body.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(['generated', 'plain']);
  });

  it('has the title, tool, creator and other facts of a content, equal to those at /v1/resource/{cid}', async () => {
    const [shown] = (await get('title=night')).body.resources as [TitledResource];
    expect(shown).toMatchObject({
      ...{ title: 'Harbour festival, night', ai: 'generated', tool: 'Acme painter-7', type: 'text' },
      ...{ createdBy: 'ann', creatorName: 'Ann', mimeType: 'text/plain' },
    });
    expect(await resource(shown.cid)).toEqual(shown);
    const { resources } = (await get('ai=unstated')).body;
    expect(resources[0]).not.toHaveProperty('creatorName');
    expect(resources[0]).not.toHaveProperty('tool');
  });

  it('has the member `hasSources` only for content that its first action made from other content', async () => {
    const sourcesOf = async (title: string) => {
      const [shown] = (await get(`title=${title}`)).body.resources as TitledResource[];
      return shown?.hasSources;
    };
    expect(await sourcesOf('edite')).toBe(true);
    expect([await sourcesOf('plakat'), await sourcesOf('night')]).toEqual([undefined, undefined]);
  });

  it('names the corrected maker of a content in lists of at most 50, and finds the content by this maker', async () => {
    const ben = { id: 'ben', role: 'human', name: 'Ben' };
    await service.send('/v1/entity', jsonPost(ben));
    await service.send('/v1/entity', jsonPost({ id: 'cy', role: 'human' }));
    const cid = await record('corrected', { title: 'Wrong maker' });
    const { actions } = await (await service.send(`/v1/bundle/${cid}`)).json();
    const correct = async (actionId: string, performedBy: string) => {
      const extensions = { 'ext:correction@1.0.0': { actionId } };
      const action = { type: 'create', performedBy, outputCids: [cid], extensions };
      const answer = await service.send('/v1/action', jsonPost(action));
      expect(answer.status).toBe(201);
      return (await answer.json()).action.id as string;
    };
    const shown = async (limit = 50) => (await get(`title=wrong&limit=${limit}`)).body.resources[0];
    expect(await shown()).not.toHaveProperty('correctedMaker');
    const second = await correct(actions[0].id, 'ben');
    await correct(actions[0].id, 'cy');
    expect(await shown()).toMatchObject({ createdBy: 'ann', correctedMaker: { id: 'ben', name: 'Ben' } });
    expect(await shown(51)).not.toHaveProperty('correctedMaker');
    const found = (filter: string) =>
      Promise.all(['ann', 'ben', 'cy'].map((id) => list(`title=wrong&${filter}=${id}`)));
    // The second correction corrects nothing, but its performer is one more maker.
    expect((await shown()).makers).toEqual([{ id: 'ben', name: 'Ben' }, { id: 'cy' }]);
    expect(await found('creator')).toEqual([['corrected'], [], []]);
    expect(await found('maker')).toEqual([[], ['corrected'], ['corrected']]);
    const third = await correct(second, 'cy');
    expect((await shown()).correctedMaker).toEqual({ id: 'cy' });
    expect(await found('maker')).toEqual([[], [], ['corrected']]);
    await correct(third, 'ann');
    expect(await shown()).not.toHaveProperty('correctedMaker');
    expect(await found('maker')).toEqual([['corrected'], [], ['corrected']]);
  });

  it('shows no content of another project', async () => {
    const headers = { authorization: `Bearer ${OTHER_KEY}` };
    for (const query of ['title=harb', 'ai=generated', 'tool=Acme%20painter-7', 'ai=unstated'])
      expect((await get(query, headers)).body, query).toEqual({ resources: [], count: 0, nextCursor: null });
  });

  it.each(['title=', 'title=%21%3F', 'title=a+b+c+d+e+f', 'ai=involved', 'mimeType=image', 'tool='])(
    '400 InvalidField: %s',
    async (query) => {
      const { status, body } = await get(query);
      expect([status, body.error.code]).toEqual([400, 'InvalidField']);
    },
  );

  it('an attribution of an AI entity raises the level of its content', async () => {
    const cid = await record('credited', { title: 'Credited' });
    const { actionId } = await (await service.send(`/v1/bundle/${cid}`)).json().then(({ actions }) => ({
      actionId: actions[0].id,
    }));
    const credited = await record('credited too', { title: 'Credited too' });
    for (const target of [{ actionId }, { resourceCid: credited }]) {
      const said = { entityId: 'bot', role: 'contributor', ...target };
      expect((await service.send('/v1/attribution', jsonPost(said))).status).toBe(201);
    }
    expect(await list('ai=assisted&title=credited')).toEqual(['credited too', 'credited']);
  });

  it('a content keeps its AI level and its words when its bytes arrive', async () => {
    const content = randomBytes(2 ** 20).toString('hex');
    const alias = sha256Name(content);
    const action = { type: 'generate', performedBy: 'ann', aiTool: PAINTER, outputCids: [alias] };
    expect((await service.send('/v1/action', jsonPost(action))).status).toBe(201);
    await service.send(`/v1/resource/${alias}`, { ...jsonPost({ title: 'Zeppelin' }), method: 'PATCH' });
    names.set(alias, 'alias');
    expect(await list('title=zep&ai=generated')).toEqual(['alias']);
    const cid = await record('arrived', { title: 'Zeppelin of bytes', content });
    expect(cid).not.toBe(alias);
    expect(await list('title=zeppelin&ai=generated')).toEqual(['arrived']);
    expect(await resource(cid)).toMatchObject({ ai: 'generated', tool: 'Acme painter-7' });
    const left = await service.context.databases.provenance.query(
      'select from provenance.title_word w where w.cid = $1',
      [alias],
    );
    expect(left).toEqual([]);
  });

  it('a content that joins two identifiers has the higher of their AI levels', async () => {
    const content = randomBytes(2 ** 20).toString('hex');
    const headers = { authorization: `Bearer ${OTHER_KEY}` };
    // Returns the canonical CID of the content.
    const { cid } = await (await service.upload(content, undefined, headers)).json();
    const byHand = { type: 'transform', performedBy: 'ann', outputCids: [cid] };
    const byAi = { type: 'generate', performedBy: 'ann', aiTool: PAINTER, outputCids: [sha256Name(content)] };
    for (const action of [byHand, byAi])
      expect((await service.send('/v1/action', jsonPost(action))).status).toBe(201);
    expect(await resource(cid)).toMatchObject({ ai: 'unstated' });
    expect(await record('joined', { title: 'Joined', content })).toBe(cid);
    expect(await resource(cid)).toMatchObject({ ai: 'generated', tool: 'Acme painter-7' });
  });

  it('a later action with an AI tool raises the AI level of its output, and does not change its state', async () => {
    const cid = await record('twice', { title: 'Twice', action: { type: 'transform' } });
    const before = await resource(cid);
    const again = { type: 'reference', performedBy: 'ann', aiTool: PAINTER, outputCids: [cid] };
    expect((await service.send('/v1/action', jsonPost(again))).status).toBe(201);
    expect(await resource(cid)).toEqual({ ...before, ai: 'assisted', tool: 'Acme painter-7' });
  });

  it('the migration gives earlier records the same levels, tools and words', async () => {
    const { provenance } = service.context.databases;
    const read = async () => [
      await provenance.query(
        'select r.cid, r.ai, r.tool from provenance.resource r order by r.project_id, 1',
      ),
      await provenance.query('select w.cid, w.word from provenance.title_word w order by w.project_id, 1, 2'),
    ];
    const before = await read();
    await provenance.query('update provenance.resource set ai = 0, tool = null');
    await provenance.query('delete from provenance.title_word');
    const statements = readFileSync(MIGRATION, 'utf8')
      .replaceAll(/^--.*$/gm, '')
      .split(';');
    for (const text of statements)
      if (/^\s*(?:update|insert)\b/.test(text)) await provenance.query(text.trim());
    expect(await read()).toEqual(before);
  });

  it('a new marked copy has the tool of its mark, and the filter for this tool finds the copy', async () => {
    const body = new FormData();
    body.set('file', new Blob([`\u0000\u0002`]), 'Firefly.dat');
    const generator = { name: 'Firefly', provider: 'Adobe' };
    body.set('json', JSON.stringify({ entityId: 'ann', generator, aiDisclosure: 'ai_generated' }));
    const { cid } = await (await service.send('/v1/mark', { method: 'POST', body })).json();
    names.set(cid, 'copy');
    expect((await resource(cid)).tool).toBe('Adobe Firefly');
    expect(await list('tool=Adobe%20Firefly')).toEqual(['copy']);
  });

  it('a changed title is found by its new words, and an erasure deletes the words and the name', async () => {
    const entity = { id: 'zoe', role: 'human', name: 'Zoë' };
    const cid = await record('zoe', { title: 'Quartz one', entity });
    const patch = (title: string | null) =>
      service.send(`/v1/resource/${cid}`, { ...jsonPost({ title }), method: 'PATCH' });
    await patch('Quartz two');
    expect([await list('title=one'), await list('title=quar+two')]).toEqual([[], ['zoe']]);
    await patch(null);
    expect(await list('title=quartz')).toEqual([]);
    await patch('Quartz three');
    expect(await resource(cid)).toMatchObject({ creatorName: 'Zoë', title: 'Quartz three' });
    expect((await service.send('/v1/entity/zoe/personal-data', { method: 'DELETE' })).status).toBe(200);
    expect(await list('title=quartz')).toEqual([]);
    expect(Object.keys(await resource(cid))).not.toEqual(expect.arrayContaining(['creatorName']));
    const words = await service.context.databases.provenance.query(
      `select from provenance.title_word w where w.word like 'quartz%' or w.word = 'three'`,
    );
    expect(words).toEqual([]);
  });
});
