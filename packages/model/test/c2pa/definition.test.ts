import { describe, expect, it } from 'vitest';
import {
  detectAi,
  type ManifestParts,
  manifestPartsSchema,
  parseManifestStore,
  toManifest,
  toManifestDefinition,
} from '../../src/index.js';
import { renderStore } from './support/render-store.js';
import { IPTC, OTHER_CID } from './support/stores.js';

const PARENT = { id: 'p', relationship: 'parentOf' } as const;
const COMPONENT = { id: 'c', relationship: 'componentOf', title: 'Sky', cid: OTHER_CID } as const;

function actionsOf(parts: Partial<ManifestParts>): Record<string, unknown>[] {
  const { definition } = toManifestDefinition({ generator: 'Studio', aiDisclosure: null, ...parts });
  const [actions] = definition.assertions as { data: { actions: Record<string, unknown>[] } }[];
  return actions?.data.actions ?? [];
}

function faultsOf(parts: object): string[] {
  const { error } = manifestPartsSchema.safeParse({ generator: 'Studio', aiDisclosure: null, ...parts });
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('toManifestDefinition', () => {
  it('dates each action by the time that the caller states, otherwise by the default time', () => {
    const [stated, given] = ['2026-01-01T00:00:00.000Z', '2026-02-02T00:00:00.000Z'];
    const parts: ManifestParts = {
      generator: 'Studio',
      aiDisclosure: 'ai_assisted',
      ingredients: [PARENT],
      actions: [{ action: 'c2pa.published', when: stated }],
    };
    const { definition } = toManifestDefinition(parts, { when: given });
    const [{ data }] = definition.assertions as unknown as [{ data: { actions: object[] } }];
    expect(data.actions).toMatchObject([
      { action: 'c2pa.opened', when: given },
      { action: 'c2pa.published', when: stated },
      { action: 'c2pa.edited', when: given },
    ]);
  });

  it('returns a claim of version 2 with our own assertion and the permissions for training', () => {
    const { definition, ingredients } = toManifestDefinition({
      title: 'Photo',
      generator: { name: 'Studio', version: '1.0' },
      aiDisclosure: 'ai_assisted',
      actions: [
        {
          action: 'c2pa.placed',
          when: '2026-01-01T01:00:00+01:00',
          softwareAgent: { name: 'Model', version: '3', provider: 'Example' },
          description: 'Sky',
          ingredients: ['c'],
        },
      ],
      ingredients: [COMPONENT],
      metadata: { inputCid: OTHER_CID, actionId: 'x' },
      trainingMining: {
        aiTraining: { use: 'notAllowed' },
        dataMining: { use: 'constrained', constraintInfo: 'Ask' },
      },
    });
    expect(definition).toEqual({
      claim_version: 2,
      claim_generator_info: [{ name: 'Studio', version: '1.0' }],
      title: 'Photo',
      assertions: [
        {
          label: 'c2pa.actions.v2',
          data: {
            actions: [
              { action: 'c2pa.created', digitalSourceType: `${IPTC}compositeWithTrainedAlgorithmicMedia` },
              {
                action: 'c2pa.placed',
                when: '2026-01-01T00:00:00.000Z',
                softwareAgent: { name: 'Model', version: '3', 'org.colophon.provider': 'Example' },
                description: 'Sky',
                parameters: { ingredientIds: ['c'] },
              },
            ],
          },
        },
        {
          label: 'org.colophon.provenance',
          kind: 'Json',
          data: { version: 1, aiDisclosure: 'ai_assisted', metadata: { inputCid: OTHER_CID, actionId: 'x' } },
        },
        {
          label: 'cawg.training-mining',
          data: {
            entries: {
              'cawg.ai_training': { use: 'notAllowed' },
              'cawg.data_mining': { use: 'constrained', constraint_info: 'Ask' },
            },
          },
        },
      ],
    });
    expect(ingredients).toEqual([
      { cid: OTHER_CID, json: { label: 'c', relationship: 'componentOf', title: 'Sky' } },
    ]);
  });

  it.each([
    ['ai_generated', 'trainedAlgorithmicMedia'],
    ['ai_assisted', 'compositeWithTrainedAlgorithmicMedia'],
    [null, 'digitalCreation'],
  ] as const)('writes the disclosure %s of new content as the source type %s', (aiDisclosure, type) => {
    expect(actionsOf({ aiDisclosure })).toEqual([
      { action: 'c2pa.created', digitalSourceType: `${IPTC}${type}` },
    ]);
  });

  it('keeps the source type that the caller supplies', () => {
    const digitalSourceType = `${IPTC}digitalCapture`;
    const actions = [{ action: 'c2pa.created', digitalSourceType }];
    expect(actionsOf({ actions })).toEqual(actions);
    const edited = {
      action: 'c2pa.edited',
      digitalSourceType: `${IPTC}compositeWithTrainedAlgorithmicMedia`,
    };
    expect(actionsOf({ aiDisclosure: 'ai_assisted', actions: [actions[0] ?? edited, edited] })).toEqual([
      ...actions,
      edited,
    ]);
  });

  it('begins with `c2pa.opened`, and states AI in the last change without a source type', () => {
    const opened = { action: 'c2pa.opened', parameters: { ingredientIds: ['p'] } };
    const digitalSourceType = `${IPTC}compositeWithTrainedAlgorithmicMedia`;
    const actions = [{ action: 'c2pa.cropped' }, { action: 'c2pa.edited' }, { action: 'c2pa.published' }];
    const ingredients = [PARENT];
    expect(actionsOf({ ingredients, actions })).toEqual([opened, ...actions]);
    expect(actionsOf({ ingredients, actions, aiDisclosure: 'ai_assisted' })).toEqual([
      opened,
      { action: 'c2pa.cropped' },
      { action: 'c2pa.edited', digitalSourceType },
      { action: 'c2pa.published' },
    ]);
    expect(actionsOf({ ingredients, aiDisclosure: 'ai_assisted' })).toEqual([
      opened,
      { action: 'c2pa.edited', digitalSourceType },
    ]);
    expect(actionsOf({ ingredients })).toEqual([opened]);
    const typed = { action: 'c2pa.edited', digitalSourceType: `${IPTC}humanEdits` };
    expect(
      actionsOf({ ingredients, actions: [{ action: 'c2pa.cropped' }, typed], aiDisclosure: 'ai_assisted' }),
    ).toEqual([opened, { action: 'c2pa.cropped', digitalSourceType }, typed]);
    const late = [{ action: 'c2pa.cropped' }, { action: 'c2pa.opened' }];
    expect(actionsOf({ ingredients, actions: late })).toEqual([opened, { action: 'c2pa.cropped' }]);
  });

  it.each(['ai_generated', 'ai_assisted', null] as const)(
    'writes a disclosure that reads back as %s',
    (aiDisclosure) => {
      for (const ingredients of [[], [PARENT]]) {
        const parts = { generator: 'Studio', aiDisclosure, ingredients };
        const store = parseManifestStore(renderStore(toManifestDefinition(parts)));
        expect(toManifest(store).aiDisclosure).toBe(aiDisclosure);
        expect(detectAi(store)?.confidence).toBe('high');
      }
    },
  );

  it.each([
    [
      { ingredients: [PARENT, { ...PARENT, id: 'q' }] },
      'ingredients: At most one ingredient can have the relationship parentOf',
    ],
    [{ ingredients: [COMPONENT, COMPONENT] }, 'ingredients: Two ingredients have the same id'],
    [
      { actions: [{ action: 'c2pa.opened' }] },
      'actions.0.action: c2pa.opened needs an ingredient with the relationship parentOf',
    ],
    [
      { actions: [{ action: 'c2pa.created' }], ingredients: [PARENT] },
      'actions.0.action: c2pa.created is not allowed next to a parentOf ingredient; use c2pa.opened',
    ],
    [
      { actions: [{ action: 'c2pa.created' }, { action: 'c2pa.created' }] },
      'actions: At most one action can be c2pa.created or c2pa.opened',
    ],
    [
      { actions: [{ action: 'c2pa.edited', ingredients: ['z'] }] },
      'actions.0.ingredients: Unknown ingredient id `z`; use the `id` of an item in `ingredients` of the manifest',
    ],
    [
      { actions: [{ action: 'c2pa.placed' }] },
      'actions.0.ingredients: c2pa.placed needs at least one ingredient, and only ingredients with the relationship componentOf',
    ],
    [
      { actions: [{ action: 'c2pa.removed', ingredients: ['p'] }], ingredients: [PARENT] },
      'actions.0.ingredients: c2pa.removed needs at least one ingredient, and only ingredients with the relationship componentOf',
    ],
    [
      { actions: [{ action: 'c2pa.edited', digitalSourceType: `${IPTC}trainedAlgorithmicMedia` }] },
      'actions.0.digitalSourceType: This source type means AI, but aiDisclosure is null; set aiDisclosure or use another source type',
    ],
    [{ actions: [{ action: 'cropped' }] }, 'actions.0.action: Expected a name such as c2pa.cropped'],
  ])('rejects parts whose signed manifest would be invalid: %j', (parts, fault) => {
    expect(faultsOf(parts)).toEqual([fault]);
  });

  it.each([
    { generator: '' },
    { aiDisclosure: 'robots' },
    { aiDisclosure: undefined },
    { metadata: 'text' },
    { trainingMining: { aiTraining: { use: 'maybe' } } },
    { ingredients: [{ id: 'a b', relationship: 'inputTo' }] },
    { title: 'x'.repeat(1001) },
    { more: 1 },
  ])('rejects parts that do not match the schema: %j', (parts) => {
    expect(faultsOf(parts)).not.toEqual([]);
  });
});
