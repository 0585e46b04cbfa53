import { describe, expect, it } from 'vitest';
import {
  type Action,
  CORRECTION_EXTENSION,
  findUnproven,
  MARK_EXTENSION,
  type PublishedHistory,
  renderPublishedPage,
} from '../../src/index.js';
import { AT, describeGiven, type Given, toBundle } from '../support/given-bundle.js';

const noted = (performedBy: string, outputCids: string[], more: Partial<Action> = {}): Partial<Action> => ({
  ...{ performedBy, outputCids },
  ...more,
});

function marked(performedBy: string, [source, copy]: [string, string], actionId?: string): Partial<Action> {
  const mark = { aiDisclosure: 'ai_generated', generator: { name: 'painter-2' }, markedCid: source };
  const correction = actionId === undefined ? {} : { [CORRECTION_EXTENSION]: { actionId } };
  const extensions = { [MARK_EXTENSION]: mark, ...correction };
  return { type: 'generate', performedBy, inputCids: [source], outputCids: [copy], extensions };
}

const photo = noted('ann', ['photo']);
const mark = marked('bo', ['photo', 'own']);
const of = (cid: string, createdBy: string) => ({
  cid,
  type: 'image',
  createdAt: AT,
  createdBy,
  extensions: {},
});
const resources = [of('photo', 'ann'), of('own', 'bo')];
const attributions = [
  { entityId: 'ann', actionId: 'action 0', resourceCid: 'photo' },
  { entityId: 'bo', actionId: 'action 1', resourceCid: 'own' },
];
const MARKED = { actions: [photo, mark], resources, attributions };

const describeWithheld = (given: Given) => describeGiven({ ...given, withhold: ['tools', 'details'] });
function shownOf(given: Given) {
  const { people, steps } = describeWithheld(given);
  return {
    people: people.map(({ ref }) => ref),
    steps: steps.map(({ by, inputs, outputs }) => [by, ...inputs, '>', ...outputs].join(' ')),
  };
}

describe('a history without AI tools', () => {
  it('shows a marked copy as the work of its maker, without the mark and the marker', () => {
    const { facts, contents, credits, people, steps } = describeWithheld(MARKED);
    expect(facts).toMatchObject({
      ai: 'generated',
      act: 'made',
      makers: [{ role: 'human' }],
      steps: 1,
      sources: 0,
    });
    expect(contents).toMatchObject([{ cid: 'own', by: 'ann' }]);
    expect(credits).toEqual([{ by: 'ann', role: 'contributor', step: 0, cid: 'own' }]);
    expect(JSON.stringify({ facts, contents, credits, people, steps })).not.toMatch(/\bbo\b|Bo|photo|mark/);
  });

  it('has a page that never names a person who only marked a file', () => {
    const given = { ...MARKED, actions: [{ ...photo, performedBy: 'bot' }, mark] };
    const parts = describeWithheld(given);
    const head = { id: 'q0Yx2n5mT7Jw1c9Zb4Rk8uEs', cid: 'own', publishedAt: AT, expiresAt: null, path: '/' };
    const said = { title: null, withheld: [], hidden: 0, provable: false };
    const { title, description, body } = renderPublishedPage({
      ...head,
      ...said,
      ...parts,
    } as PublishedHistory);
    expect(`${title} ${description} ${body}`).not.toContain('Bo');
    expect(description).toBe('AI-generated. Made by an AI. 1 recorded step.');
  });

  it('mentions a correction of AI use only if it shows the corrected entry', () => {
    const correction = (actionId: string) =>
      noted('bo', ['own'], {
        extensions: { [CORRECTION_EXTENSION]: { actionId } },
      });
    const given = { ...MARKED, actions: [photo, mark, correction('action 1')], withhold: ['tools' as const] };
    const described = describeGiven(given);
    expect(described.facts.ai).toBe('generated');
    expect(described.facts).not.toHaveProperty('aiCorrected');
    const shown = { withheld: given.withhold, cid: 'own', ...described } as unknown as PublishedHistory;
    expect(findUnproven(shown, toBundle(given))).toBeUndefined();
    const generated = noted('bo', ['own'], { type: 'generate' });
    const both = {
      ...given,
      actions: [photo, mark, generated, correction('action 1'), correction('action 2')],
    };
    expect(describeGiven(both).facts).toMatchObject({ ai: 'generated', aiCorrected: true });
  });

  it('shows the mark if it shows the tools', () => {
    const { people, steps } = describeGiven({ ...MARKED, withhold: ['details'] });
    expect([people.map(({ ref }) => ref), steps.length]).toEqual([['ann', 'bot', 'bo'], 2]);
  });

  it.each<[string, Given, ReturnType<typeof shownOf>]>([
    [
      'a person who marked the file and edited it before',
      {
        actions: [photo, noted('bo', ['edit'], { inputCids: ['photo'] }), marked('bo', ['edit', 'alias'])],
      },
      { people: ['ann', 'bot', 'bo'], steps: ['ann > photo', 'bo photo > own'] },
    ],
    [
      'a person who marked the file and has another credit',
      { ...MARKED, attributions: [{ entityId: 'bo', resourceCid: 'photo' }] },
      { people: ['ann', 'bot', 'bo'], steps: ['ann > own'] },
    ],
    [
      'a person whose mark has a weight',
      { ...MARKED, attributions: [{ entityId: 'bo', actionId: 'action 1', weight: 1 }] },
      { people: ['ann', 'bot', 'bo'], steps: ['ann > own'] },
    ],
    [
      'a person who marked a file that nobody recorded',
      { actions: [mark], resources: [of('own', 'bo')] },
      { people: ['ann', 'bot', 'bo'], steps: ['bo photo > own'] },
    ],
  ])('keeps %s', (_what, given, expected) => {
    expect(shownOf(given)).toEqual(expected);
  });

  it.each<[string, Given, string[]]>([
    [
      'a copy of a copy',
      { ...MARKED, actions: [photo, marked('bo', ['photo', 'copy']), marked('bo', ['copy', 'own'])] },
      ['ann > own'],
    ],
    [
      'a copy that is a source',
      {
        actions: [
          photo,
          marked('bo', ['photo', 'copy']),
          noted('ann', ['own'], { inputCids: ['copy', 'photo'] }),
        ],
        resources: [of('photo', 'ann'), of('copy', 'bo'), of('own', 'ann')],
      },
      ['ann > photo', 'ann photo photo > own'],
    ],
    [
      'a copy that is also recorded as new',
      { ...MARKED, actions: [photo, mark, noted('ann', ['own'])] },
      ['ann > photo', 'ann > own'],
    ],
    [
      'a file to correct their own entry',
      { ...MARKED, actions: [photo, noted('bo', ['own']), marked('bo', ['photo', 'own'], 'action 1')] },
      ['ann > own'],
    ],
    [
      'a file, if an entry of the maker corrects the mark',
      {
        ...MARKED,
        actions: [
          photo,
          mark,
          noted('ann', ['own'], { extensions: { [CORRECTION_EXTENSION]: { actionId: 'action 1' } } }),
        ],
      },
      ['ann > photo', 'ann > own'],
    ],
    [
      'two copies of each other, if somebody else has a credit for one of them',
      {
        actions: [marked('bo', ['own', 'copy']), marked('bo', ['copy', 'own'])],
        attributions: [{ entityId: 'ann', resourceCid: 'own' }],
      },
      [],
    ],
  ])('leaves out the person who marked %s', (_what, given, steps) => {
    expect(shownOf(given)).toEqual({ people: ['ann', 'bot'], steps });
  });
});
