import { describe, expect, it } from 'vitest';
import { type Action, C2PA_EXTENSION, MARK_EXTENSION, type PublishedFacts } from '../../src/index.js';
import { describeGiven, factsOf, finished, type Given, painted, TOOL } from '../support/given-bundle.js';

describe('the AI level of a published content', () => {
  it.each<[string, Given, PublishedFacts['ai']]>([
    ['content that an AI made', { actions: [{ performedBy: 'bot', outputCids: ['own'] }] }, 'generated'],
    ['an edit with an AI tool', { actions: [{ ...finished, aiTool: TOOL }] }, 'assisted'],
    [
      'content that only an importer states to be without AI',
      {
        actions: [
          { outputCids: ['own'] },
          {
            ...{ type: 'reference', performedBy: 'bo', outputCids: ['own'] },
            extensions: { [MARK_EXTENSION]: { aiDisclosure: null, generator: { name: 'unknown' } } },
          },
        ],
      },
      'unstated',
    ],
    ['a source that an AI made', { actions: [painted, finished] }, 'sources'],
    [
      'an import with an AI tool',
      { actions: [{ type: 'reference', outputCids: ['own'], aiTool: TOOL }] },
      'assisted',
    ],
    [
      'a custom action of an AI on the content',
      { actions: [{ outputCids: ['own'] }, { type: 'ext:upscale', performedBy: 'bot', inputCids: ['own'] }] },
      'assisted',
    ],
    [
      'a check by an AI',
      { actions: [{ outputCids: ['own'] }, { type: 'verify', performedBy: 'bot', inputCids: ['own'] }] },
      'unstated',
    ],
    [
      'an extension without a tool name',
      { actions: [{ outputCids: ['own'], extensions: { 'ext:ai@1.0.0': { agent: {} } } }] },
      'assisted',
    ],
    [
      'an AI that contributed',
      { actions: [{ outputCids: ['own'] }], attributions: [{ entityId: 'bot', resourceCid: 'own' }] },
      'assisted',
    ],
    [
      'an AI that contributed to a source',
      { actions: [finished], attributions: [{ entityId: 'bot', resourceCid: 'source' }] },
      'sources',
    ],
    [
      'a source with Content Credentials of an AI',
      {
        actions: [finished],
        resources: [{ cid: 'source', extensions: { [C2PA_EXTENSION]: { aiDisclosure: 'ai_generated' } } }],
      },
      'sources',
    ],
    [
      'Content Credentials that state no AI',
      {
        actions: [{ outputCids: ['own'] }],
        resources: [{ cid: 'own', extensions: { [C2PA_EXTENSION]: { aiDisclosure: null } } }],
      },
      'human',
    ],
    [
      'a statement of no AI in a history that is cut off',
      {
        actions: [{ ...finished, extensions: { [MARK_EXTENSION]: { aiDisclosure: null } } }],
        complete: false,
      },
      'unstated',
    ],
    [
      'a mark of an AI beside Content Credentials that state no AI',
      {
        actions: [
          { outputCids: ['own'], extensions: { [MARK_EXTENSION]: { aiDisclosure: 'ai_generated' } } },
        ],
        resources: [{ cid: 'own', extensions: { [C2PA_EXTENSION]: { aiDisclosure: null } } }],
      },
      'generated',
    ],
    [
      'Content Credentials in the form of an object',
      {
        actions: [finished],
        resources: [
          { cid: 'own', extensions: { [C2PA_EXTENSION]: { aiDisclosure: { isAIGenerated: true } } } },
          { cid: 'source', extensions: { [C2PA_EXTENSION]: { aiDisclosure: { isAIGenerated: false } } } },
        ],
      },
      'generated',
    ],
    [
      'a mark on an alias of the content',
      {
        actions: [
          { outputCids: ['alias'], extensions: { [MARK_EXTENSION]: { aiDisclosure: 'ai_assisted' } } },
        ],
      },
      'assisted',
    ],
    [
      'a check by an AI with an attribution',
      {
        actions: [{ outputCids: ['own'] }, { type: 'verify', performedBy: 'bot', inputCids: ['own'] }],
        attributions: [{ entityId: 'bot', actionId: 'action 1', resourceCid: 'own' }],
      },
      'unstated',
    ],
    ['no statement', { actions: [{ outputCids: ['own'] }] }, 'unstated'],
    [
      'an edit with a withheld AI tool',
      { actions: [{ ...finished, aiTool: TOOL }], withhold: ['tools', 'details'] },
      'withheld',
    ],
    [
      'an edit with a withheld AI tool, of a source that an AI made',
      { actions: [painted, { ...finished, aiTool: TOOL }], withhold: ['tools', 'details'] },
      'involved',
    ],
  ])('follows from %s', (_what, given, level) => {
    expect(factsOf(given).ai).toBe(level);
  });
});

describe('the statement that no AI made a published content', () => {
  const stated = { [MARK_EXTENSION]: { aiDisclosure: null, generator: { name: 'unknown' } } };
  const byBo: Partial<Action> = { ...finished, performedBy: 'bo', extensions: stated };
  it.each<[string, Given, PublishedFacts['withoutAiBy']]>([
    ['the maker of the content', { actions: [byBo] }, { role: 'human', name: 'Bo' }],
    [
      'the maker of the content, although an AI made a source',
      { actions: [painted, byBo] },
      { role: 'human', name: 'Bo' },
    ],
    [
      'the maker of the content, without the name if names are withheld',
      { actions: [byBo], withhold: ['names', 'details'] },
      { role: 'human' },
    ],
    [
      'nobody, if the publication withholds the tools',
      { actions: [byBo], withhold: ['tools', 'details'] },
      undefined,
    ],
    ['nobody, if only an importer states it', { actions: [{ ...byBo, type: 'reference' }] }, undefined],
    [
      'nobody, if the maker of a source states it',
      { actions: [{ ...byBo, outputCids: ['source'] }, finished] },
      undefined,
    ],
    ['nobody, without a statement', { actions: [finished] }, undefined],
  ])('comes from %s', (_who, given, by) => {
    expect(factsOf(given).withoutAiBy).toEqual(by);
  });

  const ofSource: Partial<Action> = { ...byBo, type: 'create', inputCids: [], outputCids: ['source'] };
  it.each<[string, Given, (true | undefined)[]]>([
    ['the step of a source', { actions: [ofSource, finished] }, [true, undefined]],
    [
      'no step, if the tools are withheld',
      { actions: [ofSource], withhold: ['tools', 'details'] },
      [undefined],
    ],
    ['the step, if only details are withheld', { actions: [ofSource], withhold: ['details'] }, [true]],
    ['no step with an AI tool', { actions: [{ ...ofSource, aiTool: TOOL }] }, [undefined]],
    ['no step of an AI', { actions: [{ ...ofSource, performedBy: 'bot' }] }, [undefined]],
    ['no import', { actions: [{ ...ofSource, type: 'reference' }] }, [undefined]],
  ])('is shown at %s', (_where, given, stated) => {
    expect(describeGiven(given).steps.map(({ withoutAi }) => withoutAi)).toEqual(stated);
  });
});
