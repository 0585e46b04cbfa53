import { describe, expect, it } from 'vitest';
import {
  actionTypeSchema,
  attributionInputSchema,
  bundleDraftSchema,
  C2PA_EXTENSION,
  c2paExtensionSchema,
  deriveManifestCid,
  entityInputSchema,
  type ManifestStore,
  parseContentId,
  toBundle,
  toFileExtension,
} from '../../src/index.js';
import { extensionsField } from '../../src/records/extensions.js';
import { uuidField } from '../../src/records/json-fields.js';
import { FILE_CID, IPTC, madeOf, OTHER_CID, readFixture, storeOf, withActions } from './support/stores.js';

const FIXTURES = [
  'v1-parent',
  'v1-two-ingredients',
  'v1-altered',
  'v2-edited',
  'v2-history',
  'v2-altered-parent',
];

function bundleOf(store: ManifestStore, options = {}) {
  return toBundle(store, { fileCid: FILE_CID, ...options });
}

describe('toBundle', () => {
  it.each(FIXTURES)('returns records that the input schemas accept unchanged: %s', (name) => {
    const bundle = bundleOf(readFixture(name));
    expect(bundleDraftSchema.parse(bundle)).toEqual(bundle);
    for (const entity of bundle.entities) expect(entityInputSchema.parse(entity)).toEqual(entity);
    for (const action of bundle.actions) {
      expect(uuidField.parse(action.id)).toBe(action.id);
      expect(actionTypeSchema.parse(action.type)).toBe(action.type);
      expect(extensionsField.parse(action.extensions)).toEqual(action.extensions);
      expect(bundle.entities.map(({ id }) => id)).toContain(action.performedBy);
      for (const cid of [...action.inputCids, ...action.outputCids]) expect(parseContentId(cid)).toBe(cid);
    }
    for (const { id, ...attribution } of bundle.attributions) {
      expect(uuidField.parse(id)).toBe(id);
      expect(attributionInputSchema.parse(attribution)).toEqual(attribution);
    }
    for (const { extensions } of bundle.resources)
      expect(extensionsField.parse(extensions)).toEqual(extensions);
  });

  it.each(FIXTURES)(
    'lists each content of the actions exactly once, and gives no two records the same id: %s',
    (name) => {
      const { actions, resources, entities, attributions } = bundleOf(readFixture(name));
      const cids = resources.map(({ cid }) => cid);
      for (const { inputCids, outputCids } of actions) {
        for (const cid of [...inputCids, ...outputCids]) expect(cids).toContain(cid);
      }
      const ids = [...actions, ...entities, ...attributions].map(({ id }) => id);
      for (const list of [cids, ids]) expect(new Set(list).size).toBe(list.length);
    },
  );

  it.each([
    ['nothing', [], undefined],
    ['null, for human work', [{ label: 'org.colophon.provenance', data: { aiDisclosure: null } }], null],
    ['AI', [{ label: 'org.colophon.provenance', data: { aiDisclosure: 'ai_assisted' } }], 'ai_assisted'],
  ])('writes the disclosure of a manifest that states %s', (_, assertions, disclosure) => {
    const { resources } = bundleOf(storeOf({ a: { assertions } }));
    const extension = resources.find(({ cid }) => cid === FILE_CID)?.extensions?.[C2PA_EXTENSION];
    expect(extension).toBeDefined();
    expect((extension as { aiDisclosure?: unknown }).aiDisclosure).toBe(disclosure);
  });

  it('writes the members of both shapes of `ext:c2pa` for the file', () => {
    const store = readFixture('v2-edited');
    const bundle = bundleOf(store, { manifestCid: OTHER_CID, mimeType: 'image/jpeg' });
    const resource = bundle.resources.find(({ cid }) => cid === FILE_CID);
    const parent = bundle.actions[1]?.inputCids[0];
    const extension = resource?.extensions?.[C2PA_EXTENSION];
    expect(resource).toMatchObject({ type: 'image', mimeType: 'image/jpeg' });
    expect(extension).toMatchObject({
      manifestCid: OTHER_CID,
      generator: 'example-editor/2.1',
      aiDisclosure: 'ai_assisted',
      actions: ['c2pa.opened', 'c2pa.edited', 'c2pa.placed'],
      ingredientCids: [parent, expect.any(String)],
      validSignature: true,
      signedBy: 'Example Studio',
      manifestLabel: store.active.label,
      claimGenerator: 'example-editor',
      claimGeneratorVersion: '2.1',
      title: 'edited.jpg',
      signature: { algorithm: 'Es256', issuer: 'Example Studio' },
      validationStatus: { isValid: true, errors: [] },
      metadata: { cid: 'bafy', actionId: 'x' },
    });
    expect(c2paExtensionSchema.parse(extension)).toEqual(extension);
  });

  it.each(FIXTURES)(
    'sets `ext:c2pa` of the file to `toFileExtension` with `manifestCid` and `ingredientCids`: %s',
    (name) => {
      const store = readFixture(name);
      const file = bundleOf(store).resources.find(({ cid }) => cid === FILE_CID);
      const extension = toFileExtension(store);
      const manifestCid = deriveManifestCid(FILE_CID, extension.manifestLabel);
      const ingredientCids = expect.any(Array);
      expect(file?.extensions?.[C2PA_EXTENSION]).toEqual({ ...extension, manifestCid, ingredientCids });
    },
  );

  it('calls the signature of an altered file invalid, and gives no verdict on ingredients', () => {
    const bundle = bundleOf(readFixture('v2-altered'));
    const verdicts = bundle.resources.map(({ extensions }) => extensions?.[C2PA_EXTENSION]);
    expect(verdicts.at(-1)).toMatchObject({ validSignature: false });
    expect(verdicts[0]).not.toHaveProperty('validSignature');
  });

  it('turns the chain of ingredients into a chain of inputs, oldest first', () => {
    const { actions } = bundleOf(readFixture('v2-history'));
    expect(actions.map(({ type }) => type)).toEqual([
      'create',
      'ext:c2pa:opened',
      'transform',
      'transform',
      'ext:c2pa:opened',
      'transform',
    ]);
    const [photo, opened, , placed, reopened, replaced] = actions;
    expect(opened?.inputCids).toEqual(photo?.outputCids);
    expect(reopened?.inputCids).toEqual(placed?.outputCids);
    expect(replaced?.inputCids).toEqual(photo?.outputCids);
    expect(reopened?.outputCids).toEqual([FILE_CID]);
  });

  it('names the performer: the software agent, otherwise the generator, otherwise the signer', () => {
    const agent = { name: 'Model', version: '3', 'org.colophon.provider': 'Example' };
    const generated = {
      action: 'c2pa.created',
      digitalSourceType: `${IPTC}trainedAlgorithmicMedia`,
      softwareAgent: agent,
    };
    const signature_info = { issuer: 'Ann' };
    const nameOf = (manifest: object) => {
      const { entities, actions } = bundleOf(storeOf({ a: manifest }));
      const performer = entities.find(({ id }) => id === actions[0]?.performedBy);
      return [performer?.role, performer?.name, actions[0]?.type, actions[0]?.aiTool];
    };
    const cropped = withActions({ action: 'c2pa.cropped' });
    expect(nameOf(withActions(generated))).toEqual([
      'ai',
      'Model/3',
      'generate',
      { provider: 'Example', model: 'Model', version: '3' },
    ]);
    expect(nameOf({ ...cropped, claim_generator: 'Tool/1', signature_info })).toEqual([
      'ext:software',
      'Tool/1',
      'transform',
      undefined,
    ]);
    expect(nameOf({ ...cropped, signature_info })).toEqual(['organization', 'Ann', 'transform', undefined]);
    expect(nameOf(cropped)).toEqual(['ext:software', undefined, 'transform', undefined]);
  });

  it('returns attributions: performers as contributors, the author as creator, and the signer', () => {
    const { entities, attributions } = bundleOf(readFixture('v1-parent'));
    const nameOf = (entityId: string) => entities.find(({ id }) => id === entityId)?.name;
    expect(attributions.map(({ entityId, role }) => [nameOf(entityId), role])).toEqual([
      ['make_test_images/0.16.1 c2pa-rs/0.16.1', 'contributor'],
      ['make_test_images/0.16.1 c2pa-rs/0.16.1', 'contributor'],
      ['Adobe make_test', 'creator'],
      ['C2PA Test Signing Cert', 'ext:c2pa:signer'],
    ]);
    expect(entities.find(({ name }) => name === 'Adobe make_test')?.role).toBe('human');
  });

  it('takes the time of an action from the action, otherwise the signature, otherwise the caller', () => {
    const timesOf = (manifest: object, options = {}) =>
      bundleOf(storeOf({ a: manifest }), options).actions.map(({ timestamp }) => timestamp);
    const actions = withActions(
      { action: 'c2pa.cropped', when: '2026-01-01T00:00:00+01:00' },
      { action: 'c2pa.edited' },
    );
    const now = '2026-08-02T09:30:00.000Z';
    expect(timesOf(actions)).toEqual(['2025-12-31T23:00:00.000Z', undefined]);
    expect(timesOf(actions, { now })).toEqual(['2025-12-31T23:00:00.000Z', now]);
    const signature_info = { time: '2026-03-03T03:03:03+00:00' };
    expect(timesOf({ ...actions, signature_info }, { now })).toEqual([
      '2025-12-31T23:00:00.000Z',
      '2026-03-03T03:03:03.000Z',
    ]);
  });

  it('gives the records of one file the same ids each time, and two files no common id', () => {
    const store = readFixture('v2-history');
    const idsOf = (fileCid: string) => {
      const { entities, actions, attributions, resources } = toBundle(store, { fileCid });
      return [
        ...entities.map(({ id }) => id),
        ...actions.map(({ id }) => id),
        ...attributions.map(({ id }) => id),
        ...resources.map(({ cid }) => cid),
      ];
    };
    expect(idsOf(FILE_CID)).toEqual(idsOf(FILE_CID));
    const others = new Set(idsOf(OTHER_CID));
    expect(idsOf(FILE_CID).filter((id) => others.has(id))).toEqual([]);
  });

  it('links inputs by the CID in our own assertion and by known manifest labels', () => {
    const edited = {
      ...withActions({ action: 'c2pa.opened' }),
      ingredients: [madeOf('parentOf', 'b'), madeOf('componentOf', 'c')],
    };
    edited.assertions.push({
      label: 'org.colophon.provenance',
      data: { metadata: { inputCid: OTHER_CID } },
    } as never);
    const store = storeOf({ a: edited, b: withActions({ action: 'c2pa.created' }), c: {} });
    expect(bundleOf(store).actions.map(({ outputCids }) => outputCids)).toEqual([[OTHER_CID], [FILE_CID]]);
    const known = 'bafkreignsi5atiffy5c2um3pgl6sbcn36u6j4rlppwc64clzcwhymqfexm';
    const { actions } = bundleOf(store, { knownCids: new Map([['c', known]]) });
    expect(actions.at(-1)?.inputCids).toEqual([OTHER_CID, known]);
  });

  it('ignores a claimed input CID that is invalid, or that is already the CID of another content', () => {
    const claim = (inputCid: unknown) => ({
      label: 'org.colophon.provenance',
      data: { metadata: { inputCid } },
    });
    const claiming = (inputCid: unknown, label: string) => ({
      assertions: [...withActions({ action: 'c2pa.opened' }).assertions, claim(inputCid)],
      ingredients: [madeOf('parentOf', label)],
    });
    for (const cid of [FILE_CID, 'nonsense', 7]) {
      const { actions } = bundleOf(storeOf({ a: claiming(cid, 'b') }));
      expect(parseContentId(actions[0]?.inputCids[0] ?? '')).toBeDefined();
      expect(actions[0]?.inputCids).not.toContain(FILE_CID);
    }
    const { actions } = bundleOf(storeOf({ a: claiming(OTHER_CID, 'b'), b: claiming(OTHER_CID, 'c') }));
    expect(actions.map(({ inputCids }) => inputCids.includes(OTHER_CID))).toEqual([false, true]);
  });

  it('does not link an altered ingredient to the manifest that it carried', () => {
    const { actions, resources } = bundleOf(readFixture('v2-altered-parent'));
    expect(actions.map(({ type }) => type)).toEqual(['ext:c2pa:opened']);
    expect(resources[0]?.extensions?.['ext:c2pa:ingredient@1.0.0']).toMatchObject({
      wasAltered: true,
      isDerivedCid: true,
    });
  });

  it('links ingredients that no action names, and those of a manifest without actions', () => {
    const ingredients = [madeOf('inputTo', 'x'), madeOf('componentOf', 'y')];
    const inputsOf = (manifest: object) =>
      bundleOf(storeOf({ a: { ...manifest, ingredients } })).actions.map(({ type, inputCids }) => [
        type,
        inputCids.length,
      ]);
    expect(inputsOf({})).toEqual([['ext:c2pa:unknown', 2]]);
    expect(inputsOf(withActions({ action: 'c2pa.created' }))).toEqual([['create', 2]]);
    expect(inputsOf(withActions({ action: 'c2pa.created' }, { action: 'c2pa.edited' }))).toEqual([
      ['create', 0],
      ['transform', 2],
    ]);
  });

  it('ignores a type in a file if only the service may record this type', () => {
    const typesOf = (type: string) =>
      bundleOf(
        storeOf({
          a: withActions({ action: 'org.colophon.recorded', parameters: { 'org.colophon.type': type } }),
        }),
      ).actions.map((action) => action.type);
    expect(typesOf('verify')).toEqual(['verify']);
    expect(typesOf('ext:ownership:transfer@1.0.0')).toEqual(['ext:c2pa:org_colophon_recorded']);
  });

  it('lists the thumbnails that the caller stored', () => {
    const store = readFixture('v2-edited');
    const thumbnailCids = new Map([[store.active.thumbnail ?? '', OTHER_CID]]);
    expect(bundleOf(store, { thumbnailCids }).resources).toContainEqual({
      cid: OTHER_CID,
      type: 'image',
      locations: [],
    });
  });

  it('throws if `fileCid` is not a content id', () => {
    expect(() => toBundle(readFixture('v1-parent'), { fileCid: 'photo.jpg' })).toThrow();
  });
});
