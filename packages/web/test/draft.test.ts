import { activityInputSchema, batchInputSchema, type Entity } from '@colophon/model';
import { ApiError, type Client } from '@colophon/sdk';
import { describe, expect, it } from 'vitest';
import { toBatch } from '../src/record/add-step.js';
import {
  addsMaker,
  changeDraft,
  type Draft,
  EMPTY,
  missingOf,
  sourceTitlesOf,
  toActivity,
  typeWithoutSources,
  withInputs,
} from '../src/record/draft.js';
import { findContradiction } from '../src/record/find-contradiction.js';
import { toCorrectingDraft } from '../src/record/recorded-step.js';
import { findAiInHistory } from '../src/record/use-ai-sources.js';
import { toOptions } from '../src/record/who-and-what.js';
import { findNamesake, NEW_ME, recognise, toMe } from '../src/shell/use-me.js';
import type { Person } from '../src/shell/use-people.js';
import { actionOf, bundleOf, recordedAs } from './support/histories.js';

const FULL: Draft = { ...EMPTY, file: new File(['x'], 'x.png'), name: ' Ann ' };

describe('a draft of a record', () => {
  it('lists the missing values until none is missing', () => {
    const missing = (draft: Draft) => missingOf(draft, 'human');
    expect(missing(EMPTY)).toHaveLength(2);
    const generated = { ...FULL, type: 'generate' } as const;
    expect(missing(generated)).toEqual(['the company that offers the AI', 'the name of the AI model']);
    expect(missing({ ...generated, provider: 'Acme' })).toEqual(['the name of the AI model']);
    expect(missing({ ...generated, model: 'painter' })).toEqual(['the company that offers the AI']);
    expect(missing({ ...generated, provider: 'Acme', model: 'painter' })).toEqual([]);
    expect(missing({ ...FULL, name: '', entityId: 'studio:ann' })).toEqual([]);
  });

  it('becomes a request that matches the schema of the service', () => {
    const inputs = [{ cid: 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e', name: 'a' }];
    const generated = { ...FULL, type: 'generate', provider: 'Acme', model: 'painter-2', inputs } as const;
    const activity = toActivity(generated, new Map());
    expect(activityInputSchema.parse(activity)).toMatchObject({
      entity: { role: 'human', name: 'Ann' },
      action: {
        type: 'generate',
        inputCids: [inputs[0]?.cid],
        aiTool: { provider: 'Acme', model: 'painter-2' },
      },
    });
    const known = toActivity({ ...FULL, entityId: 'bot' }, new Map([['bot', 'ai']]));
    expect(activityInputSchema.parse(known).entity).toEqual({ id: 'bot', role: 'ai' });
  });

  it('lets the service make the id of the signed-in user, and never names a user by an e-mail address', () => {
    const userOf = (id: string, name: string | null) => ({ id, name }) as Parameters<typeof toMe>[0];
    const me = toMe(userOf('local:ann', null), NEW_ME);
    expect(me).toEqual({ id: NEW_ME, role: 'human', name: 'ann' });
    expect(toMe(userOf('oidc:7', 'Ann Lee'), 'human:1')).toEqual({
      id: 'human:1',
      role: 'human',
      name: 'Ann Lee',
    });
    expect([
      toMe(userOf('local:ann@example.org', null), NEW_ME),
      toMe(userOf('oidc:7', 'ann@example.org'), NEW_ME),
      toMe(userOf('oidc:7', null), NEW_ME),
    ]).toEqual([undefined, undefined, undefined]);
    const entityOf = (entityId: string) =>
      activityInputSchema.parse(toActivity({ ...FULL, entityId }, new Map([[entityId, 'human']]), me)).entity;
    expect(entityOf(NEW_ME)).toEqual({ role: 'human', name: 'ann' });
    expect(entityOf('human:1')).toEqual({ id: 'human:1', role: 'human' });
  });

  it('offers the user first', () => {
    const [ann, bo] = ['ann', 'bo'].map((id) => ({ id, role: 'human', name: id.toUpperCase() }));
    const textsFor = (me: Person | undefined) => toOptions([bo, ann] as Person[], me).map(({ text }) => text);
    expect(textsFor(ann)).toEqual(['Me (ANN)', 'Somebody new', 'BO']);
    expect(textsFor(undefined)).toEqual(['Somebody new', 'BO', 'ANN']);
  });

  it("does not treat a person with the user's name as the user, but asks if exactly one person has this name", () => {
    const people: Person[] = [
      { id: 'studio:ann', role: 'human', name: 'Ann' },
      { id: 'bot', role: 'ai', name: 'Ann' },
    ];
    const me: Person = { id: NEW_ME, role: 'human', name: 'Ann' };
    expect(toOptions(people, me)).toEqual([
      { value: NEW_ME, text: 'Me (Ann)' },
      { value: '', text: 'Somebody new' },
      { value: 'studio:ann', text: 'Another Ann (studio:ann)' },
      { value: 'bot', text: 'Ann (bot)' },
    ]);
    expect(findNamesake(me, people)?.id).toBe('studio:ann');
    expect(findNamesake(me, [{ id: 'x', role: 'human', name: 'Ann' }, ...people])).toBeUndefined();
    expect(findNamesake(me, [])).toBeUndefined();
  });

  it("treats a recorded person as the user only if the service derives the person's id from the user's name", () => {
    const me: Person = { id: NEW_ME, role: 'human', name: 'Ann' };
    const derived = { id: `human:${'0a'.repeat(16)}`, role: 'human', name: 'Ann', createdAt: '' } as const;
    const find = (...people: Entity[]) => recognise(me, people).id;
    expect(find({ ...derived, id: 'studio:ann' }, derived)).toBe(derived.id);
    expect(findNamesake(recognise(me, [derived]), [derived])).toBeUndefined();
    for (const other of [{ id: 'studio:ann' }, { name: 'Bo' }, { wallet: '0x1' }, { publicKey: 'k' }])
      expect(find({ ...derived, ...other })).toBe(NEW_ME);
    expect(recognise({ ...me, id: 'own' }, [derived]).id).toBe('own');
  });

  it('offers a remembered user once, and does not ask about other people of this name', () => {
    const own: Person = { id: 'own', role: 'human', name: 'Ann' };
    const other: Person = { id: 'x', role: 'human', name: 'Ann' };
    expect(toOptions([own, other], own).map(({ text }) => text)).toEqual([
      'Me (Ann)',
      'Somebody new',
      'Another Ann (x)',
    ]);
    expect(findNamesake(own, [own, other])).toBeUndefined();
  });

  it('states that no AI was used, but not for an AI system, an import or a step with an AI tool', () => {
    const noAi = { ...FULL, noAi: true };
    const extensionsOf = (draft: Draft, roles = new Map<string, string>()) =>
      activityInputSchema.parse(toActivity(draft, roles)).action.extensions;
    const stated = { 'ext:mark@1.0.0': { aiDisclosure: null, generator: { name: 'unknown' } } };
    expect([extensionsOf(noAi), extensionsOf({ ...noAi, type: 'transform' })]).toEqual([stated, stated]);
    expect([
      extensionsOf(FULL),
      extensionsOf({ ...noAi, type: 'generate', provider: 'Acme', model: 'x' }),
      extensionsOf({ ...noAi, type: 'reference' }),
      extensionsOf({ ...noAi, entityId: 'bot' }, new Map([['bot', 'ai']])),
      extensionsOf({ ...noAi, role: 'ai' }),
    ]).toEqual([{}, {}, {}, {}, {}]);
  });

  it('keeps the values about a tool while it states that no AI was used, and never sends both', () => {
    const stated: Draft = { ...FULL, noAi: true, provider: 'Acme', model: 'fill-1', prompt: 'a sky' };
    const { action } = toActivity(stated, new Map());
    expect([action?.aiTool, Object.keys(action?.extensions ?? {})]).toEqual([undefined, ['ext:mark@1.0.0']]);
    const roles = new Map([['bot', 'ai']]);
    for (const part of [{ type: 'generate' }, { role: 'ai' }, { entityId: 'bot' }] as Partial<Draft>[]) {
      const changed = changeDraft(stated, part, roles);
      expect(changed).toEqual({ ...stated, ...part, noAi: false });
      expect(toActivity(changed, roles).action?.aiTool).toEqual({ provider: 'Acme', model: 'fill-1' });
    }
    expect(changeDraft(stated, { note: 'x' }, roles).noAi).toBe(true);
  });

  it('warns if a draft states that no AI was used, but its performer or tool looks like an AI', () => {
    const stated: Draft = { ...FULL, noAi: true };
    const warningFor = (name: string, draft = stated, role = 'human') =>
      findContradiction(draft, { role, name, ais: ['Painter'] });
    for (const name of ['Midjourney', 'ChatGPT 5', 'DALL·E', 'Acme AI', 'painter'])
      expect(warningFor(name)).toContain(`“${name}” looks like the name of an AI system`);
    for (const name of ['Ann', 'Ai Weiwei', 'Claude Monet', 'Gemini Lee'])
      expect(warningFor(name)).toBeUndefined();
    expect(warningFor('Ann', { ...stated, model: 'fill-1' })).toContain('You named an AI tool');
    expect(warningFor('Midjourney', FULL)).toBeUndefined();
    expect(warningFor('Midjourney', stated, 'ai')).toBeUndefined();
  });

  it('adds a further maker to a recorded file if only other entities made it and the draft corrects no step', () => {
    const known: Draft = { ...FULL, isRecorded: true, type: 'create', entityId: 'ann' };
    const { corrected } = toCorrectingDraft(recordedAs({}));
    expect(addsMaker(known, ['bo'])).toBe(true);
    expect(addsMaker({ ...known, entityId: '' }, ['bo'])).toBe(true);
    expect(addsMaker(known, ['bo', 'ann'])).toBe(false);
    expect(addsMaker(known, [])).toBe(false);
    expect(addsMaker({ ...known, type: 'reference' }, ['bo'])).toBe(false);
    expect(addsMaker({ ...known, corrected }, ['bo'])).toBe(false);
    expect(addsMaker({ ...known, isRecorded: false }, ['bo'])).toBe(false);
  });

  it('finds AI in a source or its sources, none in an unrecorded source, and reports a partial history', async () => {
    const aiTool = { provider: 'Acme', model: 'painter-2' };
    const drawn = actionOf('1', 1, { type: 'generate', aiTool, outputCids: ['drawn'] });
    const crop = actionOf('2', 2, { inputCids: ['drawn'], outputCids: ['crop'] });
    const photo = actionOf('3', 3, { type: 'create', outputCids: ['photo'] });
    const whole = [bundleOf('drawn', [drawn]), bundleOf('crop', [drawn, crop]), bundleOf('photo', [photo])];
    const part = { ...bundleOf('part', [photo]), complete: false };
    const bundles = [...whole, part];
    const bundle = async (cid: string) => {
      const found = bundles.find((one) => one.cid === cid);
      if (found === undefined)
        throw new ApiError({ code: 'NotFound', message: 'no', requestId: '1' }, { status: 404 });
      return found;
    };
    const client = { histories: { bundle } } as unknown as Client;
    const found = ['drawn', 'crop', 'photo', 'unknown', 'part'].map((cid) =>
      findAiInHistory(client, cid, new AbortController().signal),
    );
    expect(await Promise.all(found)).toEqual(['ai', 'ai', 'none', 'none', 'partly']);
  });

  it('states its title, and null when the title is empty', () => {
    const titleOf = (title: string) =>
      activityInputSchema.parse(toActivity({ ...FULL, title }, new Map())).title;
    expect([titleOf(' Poster '), titleOf(' ')]).toEqual(['Poster', null]);
    // The service takes the same title from the name of the file.
    expect(titleOf('x.png')).toBeUndefined();
  });

  it('has titles for the source files of this device, on request, and reports an edit without a source', () => {
    const inputs = [
      { cid: 'a', name: 'src.jpg', fileName: 'src.jpg' },
      { cid: 'b', name: 'Bo made …' },
    ];
    expect([...sourceTitlesOf({ ...FULL, inputs })]).toEqual([['a', 'src.jpg']]);
    expect(sourceTitlesOf({ ...FULL, inputs, namesSources: false }).size).toBe(0);
    const without = (type: Draft['type']) => typeWithoutSources({ ...FULL, type });
    expect([without('transform'), without('aggregate'), without('create')]).toEqual([
      'transform',
      'aggregate',
      undefined,
    ]);
    expect(typeWithoutSources({ ...FULL, type: 'transform', inputs })).toBeUndefined();
  });

  it('sends no content as its own source, and needs no file for a recorded content', () => {
    const recorded: Draft = { ...FULL, file: undefined, cid: 'a', isRecorded: true, type: 'transform' };
    const draft: Draft = { ...recorded, inputs: [{ cid: 'a', name: 'a', fileName: 'a.jpg' }] };
    expect(toActivity(draft, new Map()).action?.inputCids).toEqual([]);
    expect([sourceTitlesOf(draft).size, typeWithoutSources(draft)]).toEqual([0, 'transform']);
    expect(missingOf(draft, 'human')).toEqual([]);
    expect(missingOf({ ...draft, isRecorded: false }, 'human')).toEqual(['a file']);
  });

  it('becomes a batch with a further step of a recorded content, and its note', () => {
    const cid = 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e';
    const actionId = '0198c0de-0000-4000-8000-00000000b001';
    const imported: Draft = { ...FULL, type: 'reference', note: 'The source is known now.' };
    const batch = toBatch(toActivity(imported, new Map()), { cid, actionId, entityId: 'studio:ann' });
    expect(batchInputSchema.parse(batch)).toMatchObject({
      entities: [],
      actions: [{ id: actionId, type: 'reference', performedBy: 'studio:ann', outputCids: [cid] }],
      attributions: [{ entityId: 'studio:ann', actionId, role: 'source', note: 'The source is known now.' }],
    });
    const plain = toBatch(toActivity(FULL, new Map()), { cid, actionId, entityId: 'studio:ann' });
    expect(batchInputSchema.parse(plain).attributions).toEqual([]);
  });

  it('names each input once', () => {
    expect(
      withInputs(
        [{ cid: 'a', name: '1' }],
        [
          { cid: 'a', name: '2' },
          { cid: 'b', name: '3' },
        ],
      ),
    ).toHaveLength(2);
  });
});
