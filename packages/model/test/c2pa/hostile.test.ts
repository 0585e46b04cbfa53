import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bundleDraftSchema,
  detectAi,
  displaySchema,
  manifestSchema,
  parseManifestStore,
  toBundle,
  toDisplay,
  toManifest,
  toManifestDefinition,
  toManifestParts,
  toValidation,
  validationSchema,
} from '../../src/index.js';
import { FILE_CID, IPTC, madeOf, readFixtureJson, storeOf, withActions } from './support/stores.js';

/** Everything that is done with a store; each answer is of its schema. */
function readAll(json: unknown) {
  const store = parseManifestStore(json);
  const manifest = manifestSchema.parse(toManifest(store));
  const bundle = bundleDraftSchema.parse(toBundle(store, { fileCid: FILE_CID }));
  validationSchema.parse(toValidation(store));
  displaySchema.parse(toDisplay(store));
  detectAi(store);
  return { store, manifest, bundle };
}

function chain(length: number) {
  const manifests = Object.fromEntries(
    Array.from({ length }, (_, index) => [
      `m${index}`,
      { ...withActions({ action: 'c2pa.opened' }), ingredients: [madeOf('parentOf', `m${index + 1}`)] },
    ]),
  );
  return { active_manifest: 'm0', manifests, validation_state: 'Valid' };
}

/** Has a cycle when an action leads back to content that it was made from. */
function expectNoCycle({ actions }: { actions: { inputCids: string[]; outputCids: string[] }[] }) {
  const made = new Map<string, Set<string>>();
  for (const { inputCids, outputCids } of actions) {
    for (const output of outputCids) {
      const inputs = made.get(output) ?? new Set();
      for (const input of inputCids) inputs.add(input);
      made.set(output, inputs);
    }
  }
  const done = new Set<string>();
  for (let removed = true; removed; ) {
    removed = false;
    for (const [output, inputs] of made) {
      if (done.has(output) || [...inputs].some((input) => made.has(input) && !done.has(input))) continue;
      done.add(output);
      removed = true;
    }
  }
  expect(done.size).toBe(made.size);
}

function timed<Result>(run: () => Result): { result: Result; ms: number } {
  const start = performance.now();
  return { result: run(), ms: performance.now() - start };
}

describe('a hostile manifest store', () => {
  it('is read in bounds with 10,000 manifests inside one another, and says that it was cut', () => {
    const { result, ms } = timed(() => readAll(chain(10_000)));
    expect(result.store.manifests.size).toBe(1000);
    expect(result.manifest.truncated).toBe(true);
    expect(result.bundle).toMatchObject({ complete: false });
    expect(result.bundle.actions).toHaveLength(1000);
    expect(ms).toBeLessThan(5000);
  });

  it('shows 24 levels of ingredients and keeps all of them as records', () => {
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

  it('does not grow when each manifest is used twice by the one before', () => {
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
    ['itself', { a: 'a' }],
    ['one another', { a: 'b', b: 'a' }],
    ['a ring', { a: 'b', b: 'c', c: 'b' }],
  ])('ends, and has a history without a cycle, where manifests lead back to %s', (_, edges) => {
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

  it('is read in bounds with a million ingredients, actions and codes', () => {
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
    expect(ms).toBeLessThan(10_000);
  });

  it('is read in bounds with a thousand manifests that all name one another', () => {
    const labels = Array.from({ length: 1000 }, (_, index) => `m${index}`);
    const ingredients = labels.map((label) => madeOf('parentOf', label));
    const manifest = { ...withActions(...labels.map(() => ({ action: 'c2pa.edited' }))), ingredients };
    const manifests = Object.fromEntries(labels.map((label) => [label, manifest]));
    const { result, ms } = timed(() => readAll({ active_manifest: 'm0', manifests }));
    expect(result.bundle.actions).toHaveLength(10_000);
    expectNoCycle(result.bundle);
    expect(ms).toBeLessThan(10_000);
  });

  it('has texts of a megabyte cut, and names of a megabyte dropped', () => {
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

  it('has no way to the prototype of anything', () => {
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
  });

  it('has nothing nested deeper than can be stored', () => {
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

  it('has text without NUL, control characters and lone surrogates, on one line', () => {
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

  it('gives answers of their schemas, or is refused, whatever it holds', () => {
    const keys = [
      'title',
      'format',
      'ingredients',
      'assertions',
      'label',
      'data',
      'actions',
      'action',
      'when',
    ];
    const value = fc.jsonValue({ maxDepth: 3 });
    const noise = fc.dictionary(
      fc.constantFrom(...keys, 'softwareAgent', 'parameters', 'relationship'),
      value,
    );
    const action = fc.record(
      {
        action: fc.oneof(
          fc.constantFrom('c2pa.created', 'c2pa.opened', 'c2pa.placed', 'c2pa.edited'),
          fc.string(),
        ),
        digitalSourceType: fc.oneof(
          fc.constantFrom(`${IPTC}trainedAlgorithmicMedia`, `${IPTC}digitalCapture`),
          value,
        ),
        softwareAgent: fc.oneof(fc.string(), fc.record({ name: fc.string(), version: value }), value),
        when: fc.oneof(
          fc.date().map((date) => (Number.isNaN(date.getTime()) ? '' : date.toISOString())),
          value,
        ),
        parameters: fc.oneof(noise, value),
        description: fc.string({ unit: 'binary' }),
      },
      { requiredKeys: [] },
    );
    const ingredient = fc.record(
      {
        title: fc.oneof(fc.string({ unit: 'binary' }), value),
        relationship: fc.constantFrom('parentOf', 'componentOf', 'inputTo', 'x'),
        active_manifest: fc.constantFrom('a', 'b', 'c', '__proto__'),
        label: fc.constantFrom('c2pa.ingredient', 'x'),
      },
      { requiredKeys: [] },
    );
    const manifest = fc.oneof(
      fc.record(
        {
          title: fc.oneof(fc.string({ unit: 'binary' }), value),
          ingredients: fc.oneof(fc.array(fc.oneof(ingredient, noise, value)), value),
          assertions: fc.array(
            fc.oneof(
              fc.record({
                label: fc.constant('c2pa.actions.v2'),
                data: fc.record({ actions: fc.array(fc.oneof(action, noise)) }),
              }),
              fc.record({ label: fc.constant('org.colophon.provenance'), data: noise }),
              value,
            ),
          ),
          signature_info: fc.oneof(fc.record({ issuer: fc.string({ unit: 'binary' }), time: value }), value),
        },
        { requiredKeys: [] },
      ),
      noise,
    );
    const store = fc.record({
      active_manifest: fc.constant('a'),
      manifests: fc.record({ a: manifest, b: manifest, c: manifest }),
      validation_state: fc.constantFrom('Valid', 'Trusted', 'Invalid', 7),
      validation_results: fc.oneof(noise, value),
    });
    fc.assert(
      fc.property(store, (json) => {
        const { bundle } = readAll(JSON.parse(JSON.stringify(json)));
        expectNoCycle(bundle);
        toManifestDefinition(toManifestParts(bundle));
      }),
      { numRuns: 500 },
    );
  });

  it('gives answers of their schemas, or is refused, with any part of a real one replaced', () => {
    const real = readFixtureJson('v2-history');
    const paths = pathsOf(real);
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.jsonValue({ maxDepth: 2 }), (path, value) => {
        const json = structuredClone(real);
        replaceAt(json, path, value);
        try {
          parseManifestStore(json);
        } catch (error) {
          expect(error).toMatchObject({ name: 'ManifestStoreError' });
          return;
        }
        const { bundle } = readAll(json);
        toManifestDefinition(toManifestParts(bundle));
      }),
      { numRuns: 500 },
    );
  });
});

type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries: [string, unknown][] = Object.entries(value);
  return [
    ...(path.length > 0 ? [path] : []),
    ...entries.flatMap(([key, member]) => pathsOf(member, [...path, key])),
  ];
}

function replaceAt(json: unknown, path: Path, value: unknown): void {
  let at = json as Record<string, unknown>;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string, unknown>;
  at[path.at(-1) ?? ''] = value;
}

describe('a store with a manifest that is missing', () => {
  it('names it and shows none', () => {
    const store = storeOf({ a: { ingredients: [madeOf('parentOf', 'gone')] } });
    expect(toManifest(store)).toMatchObject({ ingredients: [{ manifestLabel: 'gone' }] });
    expect(toManifest(store).ingredients[0]).not.toHaveProperty('manifest');
    expect(store.isComplete).toBe(true);
  });
});
