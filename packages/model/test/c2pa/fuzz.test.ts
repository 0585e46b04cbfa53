import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseManifestStore, toManifestDefinition, toManifestParts } from '../../src/index.js';
import { expectNoCycle, readAll } from './support/read-all.js';
import { IPTC, readFixtureJson } from './support/stores.js';

describe('a manifest store', () => {
  it('of any content converts to valid results and to a history without a cycle', () => {
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

  it('of a real file with one replaced part is rejected, or converts to valid results', () => {
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
