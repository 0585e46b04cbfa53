import { activityInputSchema, type PageSession } from '@colophon/model';
import { describe, expect, it } from 'vitest';
import {
  type Draft,
  EMPTY,
  missingOf,
  sourceTitlesOf,
  toActivity,
  typeWithoutSources,
  withInputs,
} from '../src/record/draft.js';
import { toMe } from '../src/record/use-me.js';
import { toOptions } from '../src/record/who-and-what.js';
import type { Person } from '../src/shell/use-people.js';

const FULL: Draft = { ...EMPTY, file: new File(['x'], 'x.png'), name: ' Ann ' };

describe('a draft of a record', () => {
  it('lists the missing values until none is missing', () => {
    expect(missingOf(EMPTY)).toHaveLength(2);
    const generated = { ...FULL, type: 'generate' } as const;
    expect(missingOf(generated)).toEqual(['the company that offers the AI', 'the name of the AI model']);
    expect(missingOf({ ...generated, provider: 'Acme' })).toEqual(['the name of the AI model']);
    expect(missingOf({ ...generated, model: 'painter' })).toEqual(['the company that offers the AI']);
    expect(missingOf({ ...generated, provider: 'Acme', model: 'painter' })).toEqual([]);
    expect(missingOf({ ...FULL, name: '', entityId: 'studio:ann' })).toEqual([]);
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

  it('names the signed-in user by an id that stays the same and does not show the account', () => {
    const user = { id: 'local:ann@example.org', name: 'Ann' };
    const session = { signedIn: true, user } as Partial<PageSession> as PageSession;
    const me = toMe(session, { id: 'project-1' });
    expect(me).toEqual({ id: expect.stringMatching(/^user:[a-z2-7]{26}$/), role: 'human', name: 'Ann' });
    expect(toMe(session, { id: 'project-1' })).toEqual(me);
    expect(toMe(session, { id: 'project-2' })?.id).not.toBe(me?.id);
    expect([toMe(session, undefined), toMe(undefined, { id: 'project-1' })]).toEqual([undefined, undefined]);
    const draft = { ...FULL, entityId: me?.id ?? '' };
    expect(activityInputSchema.parse(toActivity(draft, new Map(), me)).entity).toEqual(me);
  });

  it('offers the user first', () => {
    const [ann, bo] = ['ann', 'bo'].map((id) => ({ id, role: 'human', name: id.toUpperCase() }));
    const textsFor = (me: Person | undefined) => toOptions([bo, ann] as Person[], me).map(({ text }) => text);
    expect(textsFor(ann)).toEqual(['Me (ANN)', 'Somebody new', 'BO']);
    expect(textsFor(undefined)).toEqual(['Somebody new', 'BO', 'ANN']);
  });

  it('states that no AI was used, but not for an AI system, an import and a step with an AI tool', () => {
    const noAi = { ...FULL, noAi: true };
    const extensionsOf = (draft: Draft, roles = new Map<string, string>()) =>
      activityInputSchema.parse(toActivity(draft, roles)).action.extensions;
    const stated = { 'ext:mark@1.0.0': { aiDisclosure: null, generator: { name: 'unknown' } } };
    expect([extensionsOf(noAi), extensionsOf({ ...noAi, type: 'transform' })]).toEqual([stated, stated]);
    expect([
      extensionsOf(FULL),
      extensionsOf({ ...noAi, type: 'generate', provider: 'Acme', model: 'x' }),
      extensionsOf({ ...noAi, type: 'reference' }),
      extensionsOf({ ...noAi, provider: 'Acme', model: 'fill-1' }),
      extensionsOf({ ...noAi, entityId: 'bot' }, new Map([['bot', 'ai']])),
      extensionsOf({ ...noAi, role: 'ai' }),
    ]).toEqual([{}, {}, {}, {}, {}, {}]);
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
