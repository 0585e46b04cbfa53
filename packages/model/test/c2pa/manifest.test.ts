import { describe, expect, it } from 'vitest';
import { ManifestStoreError, manifestSchema, parseManifestStore, toManifest } from '../../src/index.js';
import { IPTC, madeOf, readFixture, storeOf, withActions } from './support/stores.js';

describe('toManifest', () => {
  it('shows a claim of version 1 in the terms of the specification', () => {
    const manifest = toManifest(readFixture('v1-parent'));
    expect(manifest).toEqual({
      title: 'CA.jpg',
      generator: 'make_test_images/0.16.1 c2pa-rs/0.16.1',
      aiDisclosure: null,
      ingredients: [
        {
          title: 'A.jpg',
          format: 'image/jpeg',
          instanceId: 'xmp.iid:813ee422-9736-4cdc-9be6-4e35ed8e41cb',
          relationship: 'parentOf',
          wasAltered: null,
          manifestLabel: null,
        },
      ],
      actions: [
        { action: 'c2pa.opened', when: null },
        { action: 'c2pa.color_adjustments', when: null },
      ],
      metadata: {},
      label: 'contentauth:urn:uuid:04cdf4ec-f713-4e47-a8d6-7af56501ce4b',
      format: 'image/jpeg',
      identities: [],
      signature: {
        issuer: 'C2PA Test Signing Cert',
        commonName: 'C2PA Signer',
        algorithm: 'Ps256',
        time: '2023-01-24T14:48:56.000Z',
        timestampAuthority: 'DigiCert Timestamp 2022 - 2',
      },
    });
  });

  it('shows a claim of version 2 with the manifest of its earlier version', () => {
    const manifest = toManifest(readFixture('v2-edited'));
    expect(manifest).toMatchObject({
      title: 'edited.jpg',
      generator: 'example-editor/2.1',
      aiDisclosure: 'ai_assisted',
      metadata: { cid: 'bafy', actionId: 'x' },
      format: null,
      actions: [
        { action: 'c2pa.opened', when: null },
        {
          action: 'c2pa.edited',
          when: '2026-02-02T03:04:05.000Z',
          softwareAgent: 'Example Model/3',
          digitalSourceType: `${IPTC}compositeWithTrainedAlgorithmicMedia`,
          description: 'Sky replaced',
        },
        { action: 'c2pa.placed', when: null },
      ],
      ingredients: [
        {
          title: 'photo.jpg',
          wasAltered: false,
          manifest: { title: 'photo.jpg', generator: 'example-camera/1.0', aiDisclosure: null },
        },
        { title: 'sample.png', wasAltered: null, manifestLabel: null },
      ],
    });
    expect(manifest.signature).not.toHaveProperty('timestampAuthority');
    expect(manifest).not.toHaveProperty('truncated');
  });

  it.each(['v1-two-ingredients', 'v2-history', 'v2-altered-parent'])(
    'returns a value that matches its schema: %s',
    (name) => {
      const manifest = toManifest(readFixture(name));
      expect(manifestSchema.parse(JSON.parse(JSON.stringify(manifest)))).toEqual(manifest);
    },
  );

  it('returns null or an empty list for members that the file does not have', () => {
    expect(toManifest(storeOf({ a: {} }))).toEqual({
      title: null,
      generator: null,
      aiDisclosure: null,
      ingredients: [],
      actions: [],
      metadata: {},
      label: 'a',
      format: null,
      signature: null,
      identities: [],
    });
  });

  it('shows a shared manifest of two ingredients once, at the position nearest to the top', () => {
    const { ingredients } = toManifest(readFixture('v2-history'));
    const [parent, component] = ingredients;
    expect(component?.manifest?.title).toBe('photo.jpg');
    expect(parent?.manifest?.ingredients[0]?.manifestLabel).toBe(component?.manifestLabel);
    expect(parent?.manifest?.ingredients[0]).not.toHaveProperty('manifest');
  });

  it('reports that the content of an ingredient was altered after signing', () => {
    expect(toManifest(readFixture('v2-altered-parent')).ingredients[0]?.wasAltered).toBe(true);
  });

  it('takes the time-stamp authority only from codes about time-stamps', () => {
    const url = 'self#jumbf=/c2pa/a/c2pa.signature';
    const other = { code: 'claimSignature.validated', url, explanation: 'signed by: Nobody' };
    const stamped = { code: 'timeStamp.validated', url, explanation: 'message digest matched: Stamps: Inc' };
    const authorityWith = (...success: object[]) => {
      const validation_results = { activeManifest: { success } };
      const store = storeOf({ a: { signature_info: {} } }, { validation_results });
      return toManifest(store).signature?.timestampAuthority;
    };
    expect(authorityWith(other, stamped)).toBe('Stamps: Inc');
    expect(authorityWith(other)).toBeUndefined();
  });

  it('ends when manifests form a cycle', () => {
    const store = storeOf({
      a: { ingredients: [madeOf('parentOf', 'b')] },
      b: { ingredients: [madeOf('parentOf', 'a')] },
    });
    const manifest = toManifest(store);
    const [inner] = manifest.ingredients[0]?.manifest?.ingredients ?? [];
    expect(inner).toMatchObject({ manifestLabel: 'a' });
    expect(inner).not.toHaveProperty('manifest');
  });
});

describe('parseManifestStore', () => {
  it.each([
    null,
    'text',
    [],
    {},
    { active_manifest: 'a' },
    { active_manifest: 'b', manifests: { a: {} } },
    { active_manifest: 'a', manifests: [] },
    { active_manifest: 'a', manifests: { a: 'text' } },
    { active_manifest: 'toString', manifests: {} },
    { manifests: { a: {} } },
  ])('throws ManifestStoreError for a value that is not a manifest store: %j', (json) => {
    expect(() => parseManifestStore(json)).toThrow(ManifestStoreError);
  });

  it('treats fields of a wrong type as absent and keeps the others', () => {
    const store = storeOf({
      a: {
        title: 7,
        format: 'image/png',
        claim_generator_info: 'x',
        claim_generator: 'Tool/1',
        ingredients: ['x', null, { title: 'kept', relationship: 'sibling' }],
        assertions: [
          null,
          { label: 1 },
          { label: 'c2pa.actions', data: { actions: [{}, null, { action: 'c2pa.cropped' }] } },
        ],
        signature_info: { alg: 'Es256', time: 'yesterday' },
      },
    });
    const { active } = store;
    expect(active.title).toBeUndefined();
    expect(active.format).toBe('image/png');
    expect(active.generator).toEqual({ name: 'Tool/1' });
    expect(active.ingredients).toMatchObject([{ title: 'kept', relationship: undefined }]);
    expect(active.actions).toMatchObject([{ action: 'c2pa.cropped' }]);
    expect(active.signature).toMatchObject({ algorithm: 'Es256', time: undefined });
  });

  it('reads software agents that are a text, an object, or an index into a list', () => {
    const data = {
      actions: [
        { action: 'c2pa.edited', softwareAgent: 'Old/1' },
        { action: 'c2pa.edited', softwareAgent: { name: 'New', version: '2' } },
        { action: 'c2pa.edited', softwareAgentIndex: 0 },
      ],
      softwareAgents: [{ name: 'Listed' }],
    };
    const { actions } = storeOf({ a: { assertions: [{ label: 'c2pa.actions.v2__1', data }] } }).active;
    expect(actions.map(({ softwareAgent }) => softwareAgent)).toEqual([
      { name: 'Old/1' },
      { name: 'New', version: '2' },
      { name: 'Listed' },
    ]);
  });

  it('reads the parameters `ingredient` and `ingredients` of actions', () => {
    const uri = (label: string) => ({ url: `self#jumbf=c2pa.assertions/${label}` });
    const { actions } = storeOf({
      a: withActions(
        { action: 'c2pa.opened', parameters: { ingredient: uri('c2pa.ingredient') } },
        { action: 'c2pa.placed', parameters: { ingredients: [uri('x'), uri('y'), { url: 'https://z/x' }] } },
      ),
    }).active;
    expect(actions.map(({ ingredients }) => ingredients)).toEqual([['c2pa.ingredient'], ['x', 'y']]);
  });

  it('leaves out unreachable manifests', () => {
    expect([...storeOf({ a: {}, b: {} }).manifests.keys()]).toEqual(['a']);
  });
});
