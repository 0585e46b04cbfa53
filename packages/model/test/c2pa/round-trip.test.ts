import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { derivedContentId } from '../../src/c2pa/derived-id.js';
import {
  type BundleDraft,
  bundleDraftSchema,
  C2PA_ACTION_EXTENSION,
  C2PA_EXTENSION,
  parseManifestStore,
  toBundle,
  toManifestDefinition,
  toManifestParts,
  toValidation,
} from '../../src/index.js';
import { renderStore } from './support/render-store.js';
import { FILE_CID, readFixture } from './support/stores.js';

const cids = Array.from({ length: 5 }, (_, index) => derivedContentId('test', [FILE_CID, `${index}`]));
const name = fc.stringMatching(/^[A-Za-z]\w{0,9}( [\w.-]{1,8}){0,3}$/);
const instant = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const aiTool = fc.record(
  { provider: name, model: name, version: name },
  { requiredKeys: ['provider', 'model'] },
);

/** A manifest can carry only these types of actions. */
const action = fc.record(
  {
    type: fc.constantFrom('create', 'reference', 'generate', 'transform', 'aggregate', 'verify'),
    inputCids: fc.uniqueArray(fc.constantFrom(...cids), { maxLength: 4 }),
    timestamp: instant,
    aiTool,
    performedBy: fc.constantFrom('ann', 'model', 'editor'),
  },
  { requiredKeys: ['type', 'inputCids', 'timestamp', 'performedBy'] },
);

const recorded = fc
  .record({
    actions: fc.array(action, { minLength: 1, maxLength: 6 }),
    title: fc.option(name, { nil: undefined }),
    generator: fc.record({ name, version: name }, { requiredKeys: ['name'] }),
    metadata: fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.oneof(name, fc.integer(), fc.boolean())),
  })
  .map(({ actions, ...options }) => {
    const bundle: BundleDraft = {
      cid: FILE_CID,
      entities: [
        { id: 'ann', role: 'human', name: 'Ann' },
        { id: 'model', role: 'ai', name: 'Model' },
        { id: 'editor', role: 'ext:software', name: 'Editor' },
      ],
      actions: actions.map((draft, index) => ({
        ...draft,
        id: `${index}`,
        outputCids: [FILE_CID],
        extensions: {},
      })),
      attributions: [],
      resources: [{ cid: FILE_CID, type: 'image', locations: [] }],
      complete: true,
    };
    return { bundle, options };
  });

/** Simulates the signing without bytes and keys. */
function throughManifest(bundle: BundleDraft, options = {}) {
  const definition = toManifestDefinition(toManifestParts(bundle, options));
  const store = parseManifestStore(renderStore(definition));
  return { bundle: toBundle(store, { fileCid: FILE_CID }), cidOf: cidsByIngredient(definition) };
}

/** C2PA has no field for derived CIDs, so this function maps them to ingredients by their order. */
function cidsByIngredient({ ingredients }: ReturnType<typeof toManifestDefinition>) {
  return (bundle: BundleDraft) => {
    const listed = bundle.resources.find(({ cid }) => cid === FILE_CID)?.extensions?.[C2PA_EXTENSION];
    const derived = (listed as { ingredientCids: string[] }).ingredientCids;
    return new Map(derived.map((cid, index) => [cid, ingredients[index]?.cid ?? cid]));
  };
}

function carried({ actions }: BundleDraft, cidOf: ReadonlyMap<string, string> = new Map()) {
  return actions.map(({ type, inputCids, outputCids, timestamp, aiTool }) => ({
    type,
    inputCids: inputCids.map((cid) => cidOf.get(cid) ?? cid).sort(),
    outputCids,
    timestamp,
    aiTool,
  }));
}

describe('a bundle that is converted to a manifest and back', () => {
  it('keeps title, tool, disclosure and metadata, and the type, inputs, time and AI tool of each action', () => {
    fc.assert(
      fc.property(recorded, ({ bundle, options }) => {
        const back = throughManifest(bundle, options);
        const actions = carried(back.bundle, back.cidOf(back.bundle));
        const own = actions.filter(({ timestamp }) => timestamp !== undefined);
        expect(own).toHaveLength(bundle.actions.length);
        // An action without an input is an edit of the file, unless it creates.
        const parent = actions.find(({ type }) => type === 'ext:c2pa:opened')?.inputCids ?? [];
        const expected = carried(bundle).map((sent) => ({
          ...sent,
          inputCids: sent.inputCids.length > 0 || sent.type === 'create' ? sent.inputCids : parent,
        }));
        expect(sortedByText(own)).toEqual(sortedByText(expected));
        const resource = back.bundle.resources.find(({ cid }) => cid === FILE_CID);
        expect(resource?.extensions?.[C2PA_EXTENSION]).toMatchObject({
          ...(options.title === undefined ? {} : { title: options.title }),
          claimGenerator: options.generator.name,
          metadata: options.metadata,
          aiDisclosure: toManifestParts(bundle).aiDisclosure,
        });
      }),
      { numRuns: 500 },
    );
  });

  it('keeps the C2PA facts of its actions in a second round trip', () => {
    fc.assert(
      fc.property(recorded, ({ bundle, options }) => {
        const once = throughManifest(bundle, options).bundle;
        const twice = throughManifest(once).bundle;
        expect(bundleDraftSchema.parse(twice)).toEqual(twice);
        expect(describeActions(twice)).toEqual(describeActions(once));
      }),
      { numRuns: 500 },
    );
  });

  it.each(['v1-parent', 'v1-two-ingredients', 'v2-edited', 'v2-history'])(
    'keeps the C2PA facts of the actions of a real file, except source types: %s',
    (file) => {
      const store = readFixture(file);
      expect(toValidation(store).state).not.toBe('invalid');
      const bundle = toBundle(store, { fileCid: FILE_CID });
      const back = throughManifest(bundle).bundle;
      const own = {
        ...bundle,
        actions: bundle.actions.filter(({ outputCids }) => outputCids.includes(FILE_CID)),
      };
      expect(describeActions(back).map(withoutSource)).toEqual(describeActions(own).map(withoutSource));
    },
  );
});

/** Omits the CIDs of ingredients, which differ for each manifest. */
function describeActions({ actions }: BundleDraft) {
  return actions.map(({ type, extensions, aiTool }) => {
    const { ingredients, parameters, ...said } = extensions[C2PA_ACTION_EXTENSION] as {
      ingredients: { cid: string }[];
      parameters?: Record<string, unknown>;
    };
    const { ingredient: _, ingredients: __, ...others } = parameters ?? {};
    const used = ingredients.map(({ cid: ___, ...ingredient }) => ingredient);
    return { type, aiTool, ...said, parameters: others, used: sortedByText(used) };
  });
}

/** A new manifest states the AI disclosure of the file in the source type of its last change. */
function withoutSource({
  digitalSourceType: _,
  ...said
}: ReturnType<typeof describeActions>[number] & { digitalSourceType?: string }) {
  return said;
}

function sortedByText<Item>(items: Item[]): Item[] {
  return items
    .map((item) => ({ item, text: JSON.stringify(item) }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ item }) => item);
}
