import { describe, expect, it } from 'vitest';
import {
  type Action,
  CORRECTION_EXTENSION,
  describeBundle,
  findUnproven,
  listCurrentCredits,
  MARK_EXTENSION,
  type PublishedFacts,
  type PublishedHistory,
  type Withholdable,
  workMakersOf,
} from '../../src/index.js';
import {
  describeGiven,
  factsOf,
  finished,
  type Given,
  painted,
  TOOL,
  toBundle,
} from '../support/given-bundle.js';

type Step = PublishedHistory['steps'][number];

function marked(source: string, copy: string, more: Record<string, unknown> = {}): Partial<Action> {
  const mark = { aiDisclosure: 'ai_generated', generator: { name: 'painter-2' }, markedCid: source, ...more };
  const extensions = { [MARK_EXTENSION]: mark };
  return { type: 'generate', inputCids: [source], outputCids: [copy], extensions };
}

describe('the member `markedCid` of a published step', () => {
  it.each<[string, Given, (string | undefined)[]]>([
    [
      'the canonical id of the original, also if the records name an alias',
      { actions: [marked('alias', 'copy'), marked('own', 'copy', { markedCid: 'alias' })] },
      ['own', 'own'],
    ],
    [
      'the id of the original, if only details are withheld',
      { actions: [marked('a', 'own')], withhold: ['details'] },
      ['a'],
    ],
    [
      'absent, if the tools are withheld',
      { actions: [marked('a', 'own')], withhold: ['tools', 'details'] },
      [undefined],
    ],
    [
      'absent for a mark that names another content, or states that no AI was used',
      { actions: [marked('a', 'own', { markedCid: 'b' }), marked('a', 'own', { aiDisclosure: null })] },
      [undefined, undefined],
    ],
  ])('is %s', (_what, given, expected) => {
    expect(describeGiven(given).steps.map(({ markedCid }) => markedCid)).toEqual(expected);
  });
});

describe('the credits that count', () => {
  const at = '2026-03-02T09:00:00.000Z';
  const step = (inputs: string[], output: string, more: Partial<Step> = {}): Step => ({
    ...{ type: 'transform', at, by: 'r', inputs, outputs: [output], prompts: [], signed: false },
    ...more,
  });
  const photo = step([], 'photo');
  const mark = step(['photo'], 'own', { markedCid: 'photo' });
  const creditOf = (by: string, cid: string, more: { step?: number; weight?: number } = {}) => ({
    ...{ by, role: 'creator', cid },
    ...more,
  });
  const credits = [creditOf('ann', 'photo', { step: 0 }), creditOf('bo', 'own', { step: 1 })];
  const refsOf = (steps: Step[], given: Pick<PublishedHistory, 'credits'> & Partial<PublishedHistory>) =>
    listCurrentCredits({ cid: 'own', steps, ...given }).map(({ by }) => by);

  it('omit the credit for a mark without a weight if the original is recorded', () => {
    expect(refsOf([photo, mark], { credits })).toEqual(['ann']);
    const weighted = [...credits, creditOf('cy', 'own', { step: 1, weight: 1 }), creditOf('di', 'own')];
    expect(refsOf([photo, mark], { credits: weighted })).toEqual(['ann', 'cy', 'di']);
    const contrib = { ...creditOf('cy', 'own', { step: 1 }), extensions: { 'ext:contrib@1.0.0': {} } };
    expect(refsOf([photo, mark], { credits: [...credits, contrib] })).toEqual(['ann', 'cy']);
  });

  it('include a credit for a mark if the original is unknown, two steps made the copy or details are withheld', () => {
    expect(refsOf([mark], { credits: [creditOf('bo', 'own', { step: 0 })] })).toEqual(['bo']);
    expect(refsOf([photo, mark, step([], 'own')], { credits })).toEqual(['ann', 'bo']);
    expect(refsOf([photo, mark], { credits, withheld: ['details'] })).toEqual(['ann', 'bo']);
    expect(refsOf([photo, mark], { credits, withheld: ['names'] })).toEqual(['ann']);
  });
});

describe('the credit of a mark', () => {
  const photo: Partial<Action> = { performedBy: 'bo', outputCids: ['photo'] };
  const credits = [
    { entityId: 'bo', actionId: 'action 0', resourceCid: 'photo' },
    { entityId: 'ann', actionId: 'action 1', resourceCid: 'own' },
  ];
  const describeMarked = (given: Partial<Given> = {}) => {
    const described = describeGiven({
      ...{ actions: [photo, marked('photo', 'own')], attributions: credits },
      ...given,
    });
    const shown = listCurrentCredits({ cid: 'own', withheld: given.withhold ?? [], ...described });
    return shown.map(({ by, marksCopy }) => [by, marksCopy]);
  };

  it.each<Withholdable[][]>([[[]], [['details']]])(
    'has `marksCopy` if another person made the original of the copy; withheld: %j',
    (withhold) => {
      expect(describeMarked({ withhold })).toEqual([
        ['bo', undefined],
        ['ann', true],
      ]);
      const [own = {}, ofMark] = credits;
      const byMaker = { actions: [{ ...photo, performedBy: 'ann' }, marked('photo', 'own')], withhold };
      expect(
        describeMarked({ ...byMaker, attributions: [{ ...own, entityId: 'ann' }, ofMark ?? {}] }),
      ).toEqual([['ann', undefined]]);
    },
  );

  it('has no `marksCopy` if it has a weight or names another person, or if nobody recorded the original', () => {
    const [own = {}, ofMark] = credits;
    const weighted = [own, { ...ofMark, weight: 1 }] as Given['attributions'] & object;
    expect(describeMarked({ attributions: weighted })).toEqual([
      ['bo', undefined],
      ['ann', undefined],
    ]);
    const ofOther = [own, { ...ofMark, entityId: 'bot' }];
    expect(describeMarked({ attributions: ofOther })).toEqual([['bo', undefined]]);
    const alone = { entityId: 'ann', actionId: 'action 0', resourceCid: 'own' };
    expect(describeMarked({ actions: [marked('photo', 'own')], attributions: [alone] })).toEqual([
      ['ann', undefined],
    ]);
  });
});

describe('the tool of a published step', () => {
  it('has texts within the limits of `aiTool`; a cut adds `…` and never splits a character', () => {
    const long = {
      provider: 'p'.repeat(1_000),
      model: `${'m'.repeat(254)}🎨${'m'.repeat(9)}`,
      version: '&'.repeat(1_000),
    };
    const tool = {
      provider: `${'p'.repeat(255)}…`,
      model: `${'m'.repeat(254)}…`,
      version: `${'&'.repeat(127)}…`,
    };
    for (const given of [{ extensions: { 'ext:ai@1.0.0': long } }, { aiTool: long }]) {
      const { steps, facts } = describeGiven({ actions: [{ outputCids: ['own'], ...given }] });
      expect(steps[0]?.tool).toEqual(tool);
      expect(facts.tools).toEqual([`${tool.provider} ${tool.model} ${tool.version}`]);
    }
  });

  it('stays unchanged if its texts have exactly the maximum lengths', () => {
    const tool = { provider: 'p'.repeat(256), model: 'm'.repeat(256), version: 'v'.repeat(128) };
    const given = { actions: [{ outputCids: ['own'], extensions: { 'ext:ai@1.0.0': tool } }] };
    expect(describeGiven(given).steps[0]?.tool).toEqual(tool);
  });
});

describe('the makers of a published content', () => {
  const shot: Partial<Action> = { performedBy: 'bo', outputCids: ['source'] };
  const bo = { role: 'human', name: 'Bo' };
  it.each<[string, Given, Pick<PublishedFacts, 'act' | 'sourceMakers'>]>([
    [
      'an edit of the content of another person',
      { actions: [finished, shot] },
      { act: 'edited', sourceMakers: [bo] },
    ],
    [
      'an edit of the content of the same person',
      { actions: [{ ...shot, performedBy: 'ann' }, finished] },
      { act: 'edited' },
    ],
    [
      'a composition with a content that an AI made',
      { actions: [painted, { ...finished, type: 'aggregate' }] },
      { act: 'combined', sourceMakers: [{ role: 'ai' }] },
    ],
    ['a new content', { actions: [{ outputCids: ['own'] }] }, { act: 'made' }],
    [
      'an edit with a mark that states `ai_generated`',
      {
        actions: [shot, { ...finished, extensions: { [MARK_EXTENSION]: { aiDisclosure: 'ai_generated' } } }],
      },
      { act: 'made', sourceMakers: [bo] },
    ],
    [
      'a marked copy of a marked copy',
      { actions: [shot, { ...marked('source', 'copy'), performedBy: 'bot' }, marked('copy', 'alias')] },
      { act: 'marked', sourceMakers: [bo] },
    ],
    [
      'a marked copy of an edit, if the same person made the edit and the mark',
      {
        actions: [
          shot,
          { type: 'transform', inputCids: ['source'], outputCids: ['edit'] },
          marked('edit', 'own'),
        ],
      },
      { act: 'marked', sourceMakers: [{ role: 'human' }] },
    ],
    [
      'a marked copy, if the tools are withheld',
      {
        actions: [shot, { ...marked('source', 'own'), type: 'transform' }],
        withhold: ['tools', 'details'],
      },
      { act: 'made' },
    ],
    [
      'a marked copy that is also recorded as new',
      {
        actions: [shot, marked('source', 'own'), { outputCids: ['own'] }],
      },
      { act: 'made' },
    ],
    [
      'the same content as new and as an edit',
      { actions: [shot, finished, { outputCids: ['own'] }] },
      { act: 'made' },
    ],
  ])('follow from %s', (_what, given, { act, sourceMakers }) => {
    expect(factsOf(given)).toMatchObject({ act, makers: [{ role: 'human' }] });
    expect(factsOf(given).sourceMakers).toEqual(sourceMakers);
  });

  it('are the makers of the work; for a marked copy, these are the makers of its original', () => {
    const copied = factsOf({ actions: [shot, marked('source', 'own')] });
    expect(workMakersOf(copied)).toEqual({ makers: [bo] });
    const edited = factsOf({ actions: [shot, finished] });
    expect(workMakersOf({ ...edited, furtherMakers: 2 })).toEqual({
      makers: [{ role: 'human' }],
      furtherMakers: 2,
    });
  });
});

describe('the makers in the facts', () => {
  const view = { withhold: [], isHidden: () => false, toRef: (id: string) => id };
  /** Undefined: a maker without a name. */
  const countFor = (names: (string | undefined)[], role = 'human') => {
    const ids = names.map((_, place) => `maker-${place}`);
    const bundle = toBundle({ actions: ids.map((performedBy) => ({ performedBy, outputCids: ['own'] })) });
    const entities = names.map((name, place) => ({ id: ids[place], role, name })) as typeof bundle.entities;
    const { makers, furtherMakers } = describeBundle({ ...bundle, entities }, view).facts;
    return [makers.map(({ name }) => name), furtherMakers];
  };
  const nobody = (count: number) => Array.from({ length: count }, () => undefined);

  it('are at most 5, with the number of the others', () => {
    expect(countFor(nobody(5))).toEqual([nobody(5), undefined]);
    expect(countFor(nobody(7))).toEqual([nobody(5), 2]);
    expect(countFor(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toEqual([['a', 'b', 'c', 'd', 'e'], 2]);
  });

  it('count as one if a sentence would give them the same name', () => {
    expect(countFor(['Ann', 'Ann'])).toEqual([['Ann'], undefined]);
    expect(countFor(Array.from({ length: 7 }, () => 'Ann'))).toEqual([['Ann'], undefined]);
    expect(countFor(['Ann', 'b', 'Ann', 'c', 'd', 'e', 'Ann', 'f', 'f'])).toEqual([
      ['Ann', 'b', 'c', 'd', 'e'],
      1,
    ]);
  });
});

describe('the facts of a content with a corrected step', () => {
  const correction = (place: number, more: Record<string, unknown> = {}) => ({
    extensions: { [CORRECTION_EXTENSION]: { actionId: `action ${place}` }, ...more },
  });
  const noAi = { [MARK_EXTENSION]: { aiDisclosure: null, generator: { name: 'unknown' } } };
  const bo = { role: 'human', name: 'Bo' };
  const resources = [{ cid: 'own', createdBy: 'ann', extensions: {} }];

  it('follow from the last correction', () => {
    const actions = [
      { ...finished, performedBy: 'ann', aiTool: TOOL },
      { outputCids: ['own'], ...correction(0) },
      { outputCids: ['alias'], performedBy: 'bo', aiTool: { ...TOOL, model: 'draw' }, ...correction(1) },
    ];
    const { facts, steps } = describeGiven({ actions, resources });
    expect(facts).toMatchObject({ act: 'made', makers: [bo], tools: ['Acme draw'], steps: 1, sources: 0 });
    expect(facts.aiCorrected).toBeUndefined();
    expect(steps.map(({ corrects }) => corrects)).toEqual([undefined, 0, 1]);
  });

  it('do not count the sources that only a corrected step used', () => {
    const shot = { performedBy: 'bo', outputCids: ['source'] };
    const sketched = { performedBy: 'bo', outputCids: ['sketch'] };
    const edited = { ...finished, inputCids: ['sketch'], ...correction(2) };
    const given = { actions: [shot, { ...sketched, performedBy: 'ann' }, finished, edited] };
    expect(factsOf(given)).toMatchObject({ sources: 1, act: 'edited', makers: [{ role: 'human' }] });
    expect(factsOf(given).sourceMakers).toBeUndefined();
    const both = [...given.actions, { outputCids: ['source'], inputCids: ['sketch'] }];
    expect(factsOf({ actions: both }).sources).toBe(1);
  });

  it('name no maker if a `reference` to content from elsewhere corrects the first step', () => {
    const imported: Partial<Action> = { type: 'reference', performedBy: 'bo', outputCids: ['own'] };
    const actions = [{ outputCids: ['own'] }, { ...imported, ...correction(0) }];
    expect(factsOf({ actions, resources }).makers).toEqual([]);
  });

  it.each<[string, Given, Pick<PublishedFacts, 'ai' | 'aiCorrected'>]>([
    [
      'a step of an AI',
      {
        actions: [
          { performedBy: 'bot', outputCids: ['own'] },
          { outputCids: ['own'], ...correction(0, noAi) },
        ],
      },
      { ai: 'generated', aiCorrected: true },
    ],
    [
      'a `generate` step that a `create` step with an AI tool corrects',
      {
        actions: [
          { type: 'generate', outputCids: ['own'] },
          { outputCids: ['own'], aiTool: TOOL, ...correction(0) },
        ],
      },
      { ai: 'generated', aiCorrected: true },
    ],
    [
      'a source that an AI made',
      { actions: [painted, finished, { outputCids: ['own'], ...correction(1) }] },
      { ai: 'sources', aiCorrected: true },
    ],
    [
      'a step with another AI tool',
      {
        actions: [
          { outputCids: ['own'], aiTool: TOOL },
          { outputCids: ['own'], aiTool: { ...TOOL, model: 'draw' }, ...correction(0) },
        ],
      },
      { ai: 'assisted' },
    ],
    [
      'the statement that no AI was used',
      {
        actions: [
          { outputCids: ['own'], extensions: noAi },
          { outputCids: ['own'], ...correction(0) },
        ],
      },
      { ai: 'unstated' },
    ],
  ])('keep at least the AI level that a corrected step gave: %s', (_what, given, { ai, aiCorrected }) => {
    const facts = factsOf(given);
    expect([facts.ai, facts.aiCorrected]).toEqual([ai, aiCorrected]);
  });

  it('must be those of the proven bundle: `findUnproven` reports any other facts', () => {
    const bundle = toBundle({
      actions: [
        { performedBy: 'bot', outputCids: ['own'] },
        { outputCids: ['own'], ...correction(0) },
      ],
    });
    const view = { withhold: [], isHidden: () => false, toRef: (id: string) => id };
    const shown = {
      cid: 'own',
      withheld: [],
      ...describeBundle(bundle, view),
    } as unknown as PublishedHistory;
    expect(findUnproven(shown, bundle)).toBeUndefined();
    const [first, { corrects: _, ...second }] = shown.steps as [Step, Step];
    expect(findUnproven({ ...shown, steps: [first, second] }, bundle)).toBe('steps');
    const facts = { ...shown.facts, makers: [{ role: 'ai' }] };
    expect(findUnproven({ ...shown, facts }, bundle)).toBe('facts');
    const plain = { ...bundle, actions: bundle.actions.slice(0, 1) };
    const own = { ...shown, ...describeBundle(plain, view) };
    expect(findUnproven(own, plain)).toBeUndefined();
    expect(findUnproven({ ...own, facts: { ...own.facts, aiCorrected: true } }, plain)).toBe('facts');
  });
});
