import { activityInputSchema } from '@colophon/model';
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

const FULL: Draft = { ...EMPTY, file: new File(['x'], 'x.png'), name: ' Ann ' };

describe('a draft of a record', () => {
  it('lists the missing values until none is missing', () => {
    expect(missingOf(EMPTY)).toHaveLength(2);
    expect(missingOf({ ...FULL, type: 'generate', provider: 'Acme' })).toHaveLength(1);
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
