import { describe, expect, it } from 'vitest';
import { parseManifestStore, toManifest, toValidation } from '../../src/index.js';
import { expectNoCycle, readAll } from './support/read-all.js';
import { madeOf, storeOf, withActions } from './support/stores.js';

function chain(length: number) {
  const manifests = Object.fromEntries(
    Array.from({ length }, (_, index) => [
      `m${index}`,
      { ...withActions({ action: 'c2pa.opened' }), ingredients: [madeOf('parentOf', `m${index + 1}`)] },
    ]),
  );
  return { active_manifest: 'm0', manifests, validation_state: 'Valid' };
}

function timed<Result>(run: () => Result): { result: Result; ms: number } {
  const start = performance.now();
  return { result: run(), ms: performance.now() - start };
}

describe('a hostile manifest store', () => {
  it('with 10,000 nested manifests is read within limits, and is marked as truncated', () => {
    const { result, ms } = timed(() => readAll(chain(10_000)));
    expect(result.store.manifests.size).toBe(1000);
    expect(result.manifest.truncated).toBe(true);
    expect(result.bundle).toMatchObject({ complete: false });
    expect(result.bundle.actions).toHaveLength(1000);
    expect(ms).toBeLessThan(20_000);
  });

  it('converts to a manifest with 24 levels of ingredients, and to records of all 26 manifests', () => {
    const { manifest, bundle } = readAll(chain(26));
    let depth = 0;
    for (let at = manifest.ingredients[0]; at?.manifest !== undefined; at = at.manifest.ingredients[0])
      depth += 1;
    expect(depth).toBe(24);
    expect(manifest.truncated).toBe(true);
    expect(bundle).toMatchObject({ complete: true });
    expect(bundle.actions).toHaveLength(26);
    expect(readAll(chain(25)).manifest.truncated).toBeUndefined();
  });

  it('converts to a manifest of linear size when each manifest uses the next one twice', () => {
    const manifests = Object.fromEntries(
      Array.from({ length: 24 }, (_, index) => {
        const next = `m${index + 1}`;
        return [`m${index}`, { ingredients: [madeOf('parentOf', next), madeOf('componentOf', next)] }];
      }),
    );
    const json = { active_manifest: 'm0', manifests };
    const { manifest, bundle } = readAll(json);
    expect(JSON.stringify(manifest).length).toBeLessThan(2 * JSON.stringify(json).length + 24 * 300);
    expect(bundle.resources).toHaveLength(26);
  });

  it.each([
    ['a cycle of one', { a: 'a' }],
    ['a cycle of two', { a: 'b', b: 'a' }],
    ['a cycle to which the active one leads', { a: 'b', b: 'c', c: 'b' }],
  ])('gives a history without a cycle when its manifests form %s', (_, edges) => {
    const manifests = Object.fromEntries(
      Object.entries(edges).map(([label, next]) => [
        label,
        {
          ...withActions({ action: 'c2pa.opened' }),
          ingredients: [madeOf('parentOf', next), madeOf('componentOf', next)],
        },
      ]),
    );
    const { bundle } = readAll({ active_manifest: 'a', manifests });
    expect(bundle.actions).toHaveLength(Object.keys(edges).length);
    expectNoCycle(bundle);
  });

  it('is read within limits with a million ingredients, actions and codes', () => {
    const many = <Item>(item: Item) => new Array<Item>(1_000_000).fill(item);
    const a = {
      ingredients: many({ title: 'x' }),
      assertions: [{ label: 'c2pa.actions', data: { actions: many({ action: 'c2pa.cropped' }) } }],
    };
    const results = {
      activeManifest: {
        success: many({ code: 'x' }),
        informational: [],
        failure: [{ code: 'claimSignature.mismatch' }],
      },
    };
    const json = {
      active_manifest: 'a',
      manifests: { a },
      validation_state: 'Trusted',
      validation_results: results,
    };
    const { result, ms } = timed(() => readAll(json));
    expect(result.manifest.ingredients).toHaveLength(1000);
    expect(result.manifest.actions).toHaveLength(1000);
    expect(result.manifest.truncated).toBe(true);
    expect(result.store.codes).toHaveLength(10_000);
    expect(toValidation(result.store).state).toBe('invalid');
    expect(ms).toBeLessThan(20_000);
  });

  it('is read within limits with a thousand manifests, each of which names all of them', () => {
    const labels = Array.from({ length: 1000 }, (_, index) => `m${index}`);
    const ingredients = labels.map((label) => madeOf('parentOf', label));
    const manifest = { ...withActions(...labels.map(() => ({ action: 'c2pa.edited' }))), ingredients };
    const manifests = Object.fromEntries(labels.map((label) => [label, manifest]));
    const { result, ms } = timed(() => readAll({ active_manifest: 'm0', manifests }));
    expect(result.bundle.actions).toHaveLength(10_000);
    expectNoCycle(result.bundle);
    expect(ms).toBeLessThan(20_000);
  });

  it('keeps at most 2000 references from actions to ingredients', () => {
    const ingredients = Array.from({ length: 1000 }, (_, index) => ({
      ...madeOf('componentOf', ''),
      label: `c2pa.ingredient__${index}`,
    }));
    const named = ingredients.map(({ label }) => ({ url: `self#jumbf=c2pa.assertions/${label}` }));
    const action = { action: 'c2pa.edited', parameters: { ingredients: named } };
    const a = { ...withActions(...Array.from({ length: 10 }, () => action)), ingredients };
    const { store, bundle } = readAll({ active_manifest: 'a', manifests: { a } });
    expect(store.active.actions.map((one) => one.ingredients.length)).toEqual([
      1000,
      1000,
      ...Array(8).fill(0),
    ]);
    expect(bundle.complete).toBe(false);
  });

  it('gives an action only ingredients that it names, even if the list is cut', () => {
    const used = Array.from({ length: 1000 }, (_, index) => `c2pa.ingredient__${index}`);
    const edited = (...labels: string[]) => ({
      action: 'c2pa.edited',
      parameters: { ingredients: labels.map((label) => ({ url: `self#jumbf=c2pa.assertions/${label}` })) },
    });
    const inputsOf = (...actions: Record<string, unknown>[]) => {
      const ingredients = [
        { ...madeOf('parentOf', 'p'), label: 'parent' },
        ...used.map((label) => ({ ...madeOf('componentOf', ''), label })),
      ];
      const { bundle } = readAll({
        active_manifest: 'a',
        manifests: { a: { ...withActions(...actions), ingredients } },
      });
      return [bundle.complete, ...bundle.actions.map(({ inputCids }) => inputCids.length)];
    };
    expect(inputsOf(edited(...used), edited(...used), edited('parent'))).toEqual([false, 999, 999, 0]);
    expect(inputsOf(edited(...used, 'parent'))).toEqual([false, 999]);
  });

  it('loses the end of a text of one megabyte, and labels and action names of this length', () => {
    const long = 'x'.repeat(1_000_000);
    const { manifest, store } = readAll({
      active_manifest: 'a',
      manifests: {
        a: {
          title: long,
          claim_generator: long,
          ingredients: [{ title: long, active_manifest: long, label: long }],
          assertions: [
            {
              label: 'c2pa.actions',
              data: {
                actions: [
                  { action: long },
                  { action: 'c2pa.edited', softwareAgent: long, description: long, parameters: { long } },
                ],
              },
            },
            { label: 'org.colophon.provenance', data: { aiDisclosure: 'ai_generated', metadata: { long } } },
          ],
          signature_info: { issuer: long, common_name: long, alg: long, time: long },
        },
        [long]: {},
      },
      validation_results: { activeManifest: { failure: [{ code: long }, { code: 'x', explanation: long }] } },
    });
    expect(manifest.title).toBe(`${'x'.repeat(999)}…`);
    expect(manifest.signature?.issuer).toHaveLength(256);
    expect(manifest.ingredients).toMatchObject([{ manifestLabel: null }]);
    expect(manifest.actions).toMatchObject([{ action: 'c2pa.edited' }]);
    expect(manifest.metadata).toEqual({});
    expect(manifest.aiDisclosure).toBe('ai_generated');
    expect(store.manifests.size).toBe(1);
    expect(JSON.stringify(manifest).length).toBeLessThan(10_000);
    expect(() => parseManifestStore({ active_manifest: long, manifests: { [long]: {} } })).toThrow();
  });

  it('cannot reach the prototype of any object', () => {
    const text = `{
      "active_manifest": "__proto__",
      "manifests": {
        "__proto__": {
          "title": "T", "__proto__": {"title": "P", "polluted": true},
          "ingredients": [{"active_manifest": "constructor", "__proto__": {"title": "P"}}, {"active_manifest": "hasOwnProperty"}],
          "assertions": [
            {"label": "c2pa.actions", "data": {"actions": [{"action": "__proto__"}, {"action": "constructor", "parameters": {"__proto__": {"polluted": true}}}]}},
            {"label": "org.colophon.provenance", "data": {"metadata": {"__proto__": {"polluted": true}}}}
          ]
        },
        "constructor": {"title": "C"}
      },
      "validation_state": "constructor"
    }`;
    const { manifest, bundle } = readAll(JSON.parse(text));
    expect(manifest.title).toBe('T');
    expect(manifest.ingredients.map(({ manifest: own }) => own?.title)).toEqual(['C', undefined]);
    expect(manifest.metadata).toEqual({});
    expect(bundle.actions.map(({ type }) => type)).toEqual(['ext:c2pa:__proto__', 'ext:c2pa:constructor']);
    expect(Object.prototype).not.toHaveProperty('polluted');
    expect({}).not.toHaveProperty('polluted');
    const named = readAll({
      active_manifest: 'a',
      manifests: { a: { ingredients: [madeOf('parentOf', '__proto__')] } },
    });
    expect([...named.store.manifests.keys()]).toEqual(['a']);
  });

  it('loses metadata that is nested deeper than the service can store', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`);
    const { manifest } = readAll({
      active_manifest: 'a',
      manifests: {
        a: {
          assertions: [
            { label: 'org.colophon.provenance', data: { metadata: deep } },
            { label: 'c2pa.actions', data: { actions: [{ action: 'c2pa.edited', parameters: deep }] } },
          ],
        },
      },
    });
    expect(manifest.metadata).toEqual({});
    expect(manifest.actions).toHaveLength(1);
  });

  it('has text without NUL, control characters, lone surrogates and line breaks', () => {
    const { manifest } = readAll({
      active_manifest: 'a',
      manifests: {
        a: {
          title: ' a\0b\ud800c\n d\u0007 ',
          claim_generator: ' \n ',
          format: `${'x'.repeat(126)}\u{1F600}y`,
        },
      },
    });
    expect(manifest.title).toBe('a\uFFFDb\uFFFDc d\uFFFD');
    expect(manifest.generator).toBeNull();
    expect(manifest.format).toBe(`${'x'.repeat(126)}…`);
  });
});

describe('a manifest with many parts', () => {
  const times = <T>(count: number, make: (index: number) => T) =>
    Array.from({ length: count }, (_, i) => make(i));
  const code = { code: 'assertion.dataHash.match' };
  const PARTS: [string, number, (count: number) => Record<string, unknown>][] = [
    [
      'authors',
      100,
      (count) => ({
        assertions: [
          {
            label: 'stds.schema-org.CreativeWork',
            data: { author: times(count, (i) => ({ name: `n${i}` })) },
          },
        ],
      }),
    ],
    [
      'identities',
      100,
      (count) => ({ assertions: times(count, (i) => ({ label: `cawg.identity__${i}`, data: {} })) }),
    ],
    [
      'soft bindings',
      100,
      (count) => ({
        assertions: [
          {
            label: 'c2pa.soft-binding',
            data: { alg: 'a', blocks: times(count, (i) => ({ value: `v${i}` })) },
          },
        ],
      }),
    ],
    [
      'codes of an ingredient',
      10_000,
      (count) => ({
        ingredients: [
          { title: 'a', validation_results: { activeManifest: { success: times(count, () => code) } } },
        ],
      }),
    ],
    ['actions', 1_000, (count) => withActions(...times(count, () => ({ action: 'c2pa.edited' })))],
  ];

  it.each(PARTS)('is complete up to the limit for %s, and incomplete above it', (_, limit, make) => {
    expect(readAll({ active_manifest: 'a', manifests: { a: make(limit) } }).bundle.complete).toBe(true);
    const { manifest, bundle } = readAll({ active_manifest: 'a', manifests: { a: make(limit + 1) } });
    expect([bundle.complete, manifest.truncated]).toEqual([false, true]);
  });

  it('is not complete with more than 10,000 items in `ingredientDeltas`', () => {
    const toStore = (count: number) => ({
      active_manifest: 'a',
      manifests: { a: {} },
      validation_results: { activeManifest: {}, ingredientDeltas: times(count, () => ({})) },
    });
    expect(readAll(toStore(10_000)).store.isComplete).toBe(true);
    expect(readAll(toStore(10_001)).store.isComplete).toBe(false);
  });

  it('is complete with 2 malformed actions, but not with 1,001', () => {
    const read = (malformed: unknown[]) => {
      const valid = times(1_000, () => ({ action: 'c2pa.edited' }));
      const assertions = [{ label: 'c2pa.actions.v2', data: { actions: [...malformed, ...valid] } }];
      return storeOf({ a: { assertions } });
    };
    expect(read([{ when: 'now' }, 7]).active.actions).toHaveLength(1_000);
    expect(read([{ when: 'now' }, 7]).isComplete).toBe(true);
    expect(read(times(1_001, () => null)).isComplete).toBe(false);
  });
});

describe('a store that lacks the manifest of an ingredient', () => {
  it('converts to an ingredient with the label of this manifest and without the manifest', () => {
    const store = storeOf({ a: { ingredients: [madeOf('parentOf', 'gone')] } });
    expect(toManifest(store)).toMatchObject({ ingredients: [{ manifestLabel: 'gone' }] });
    expect(toManifest(store).ingredients[0]).not.toHaveProperty('manifest');
    expect(store.isComplete).toBe(true);
  });
});
