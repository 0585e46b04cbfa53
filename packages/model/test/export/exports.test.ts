import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/canonical-json.js';
import { toProvJson } from '../../src/export/prov-json.js';
import { toRoCrate } from '../../src/export/ro-crate.js';
import { toGraph } from '../../src/graph.js';
import type { Bundle } from '../../src/records/bundle.js';

const AT = '2026-08-02T09:30:00.000Z';
const action = (id: string, inputCids: string[], outputCids: string[]) => ({
  ...{ id, type: 'transform', performedBy: 'studio:ann b', inputCids, outputCids, extensions: {} },
  ...{ timestamp: AT, recordedAt: AT, digest: `sha256:${'0'.repeat(64)}` },
  aiTool: { provider: 'Acme', model: 'm' },
});

const BUNDLE: Bundle = {
  cid: 'bafyc',
  entities: [{ id: 'studio:ann b', role: 'human', name: 'Ann', createdAt: AT }],
  actions: [action('a1', ['bafyonlyinput', 'alias'], ['bafyb']), action('a2', ['bafyb'], ['bafyc'])],
  attributions: [
    {
      id: 't1',
      entityId: 'studio:ann b',
      actionId: 'a2',
      resourceCid: 'bafyc',
      role: 'creator',
      createdAt: AT,
    },
    { id: 't2', entityId: 'studio:ann b', actionId: 'a1', role: 'contributor', createdAt: AT },
  ],
  resources: [
    {
      cid: 'bafyc',
      type: 'image',
      mimeType: 'image/png',
      size: 3,
      locations: [],
      state: 'claimed',
      createdAt: AT,
    },
    { cid: 'bafya', type: 'text', locations: [], state: null, createdAt: AT },
  ],
  aliases: { alias: 'bafya' },
  complete: true,
};

describe('a bundle as PROV-JSON', () => {
  const document = toProvJson(BUNDLE) as Record<string, Record<string, JsonObject>>;
  const RELATIONS = {
    wasGeneratedBy: { 'prov:entity': 'entity', 'prov:activity': 'activity' },
    used: { 'prov:activity': 'activity', 'prov:entity': 'entity' },
    wasAssociatedWith: { 'prov:activity': 'activity', 'prov:agent': 'agent' },
    wasAttributedTo: { 'prov:entity': 'entity', 'prov:agent': 'agent' },
  } as const;

  it('has only relations between members of the document', () => {
    for (const [kind, members] of Object.entries(RELATIONS)) {
      for (const relation of Object.values(document[kind] ?? {})) {
        for (const [member, of] of Object.entries(members)) {
          expect(Object.keys(document[of] ?? {}), `${kind} ${member}`).toContain(relation[member]);
        }
      }
    }
    const counts = Object.keys(RELATIONS).map((kind) => Object.keys(document[kind] ?? {}).length);
    expect(counts).toEqual([2, 3, 3, 1]);
  });

  it('has only names with declared prefixes', () => {
    const { prefix, ...rest } = document;
    const names = Object.values(rest).flatMap((members) => [
      ...Object.keys(members),
      ...Object.values(members).flatMap((member) => Object.keys(member)),
    ]);
    for (const name of names) expect(['prov', ...Object.keys(prefix ?? {})]).toContain(name.split(':')[0]);
  });

  it('shows content under the canonical CID, and has the names of agents and tools', () => {
    expect(Object.keys(document.entity ?? {}).sort()).toEqual(
      ['ipfs:bafya', 'ipfs:bafyb', 'ipfs:bafyc', 'ipfs:bafyonlyinput'].sort(),
    );
    expect(document.agent).toMatchObject({ 'entity:studio%3Aann%20b': { 'prov:label': 'Ann' } });
    expect(document.activity?.['action:a1']).toMatchObject({ 'colophon:aiModel': 'm', 'prov:endTime': AT });
  });
});

describe('a bundle as an RO-Crate', () => {
  const crate = toRoCrate(BUNDLE);
  const graph = crate['@graph'] as JsonObject[];
  const ids = graph.map((node) => node['@id']);

  it('describes itself and its root as the format requires', () => {
    expect(graph[0]).toEqual({
      ...{ '@id': 'ro-crate-metadata.json', '@type': 'CreativeWork', about: { '@id': './' } },
      conformsTo: { '@id': 'https://w3id.org/ro/crate/1.1' },
    });
    const root = graph.find((node) => node['@id'] === './');
    for (const member of ['name', 'description', 'datePublished', 'license', 'hasPart'])
      expect(root).toHaveProperty(member);
    expect(root?.['@type']).toBe('Dataset');
  });

  it('names each thing once, without dangling references', () => {
    expect(new Set(ids).size).toBe(ids.length);
    const referred = graph
      .slice(1)
      .flatMap((node) => Object.values(node).flat())
      .filter((value) => typeof value === 'object' && value !== null);
    expect(referred.length).toBeGreaterThan(10);
    for (const reference of referred) expect(ids).toContain((reference as JsonObject)['@id']);
    for (const node of graph) expect(node).toHaveProperty('@type');
  });

  it('has each file as a part', () => {
    const root = graph.find((node) => node['@id'] === './');
    const files = graph.filter((node) => node['@type'] === 'File').map((node) => ({ '@id': node['@id'] }));
    expect(root?.hasPart).toEqual(files);
    expect(files).toHaveLength(4);
  });
});

describe.each([
  { name: 'PROV-JSON', convert: toProvJson },
  { name: 'RO-Crate', convert: toRoCrate },
  { name: 'graph', convert: toGraph },
])('the conversion of a long history to $name', ({ convert }) => {
  const chainOf = (length: number): Bundle => {
    const places = Array.from({ length }, (_, place) => place);
    const ofEach = { createdAt: AT, type: 'image', state: 'claimed' as const, locations: [] };
    return {
      ...BUNDLE,
      actions: places.map((place) => action(`a${place}`, [`bafy${place}`], [`bafy${place + 1}`])),
      attributions: places.map((place) => ({
        ...{ id: `t${place}`, entityId: 'studio:ann b', resourceCid: `bafy${place}`, role: 'creator' },
        createdAt: AT,
      })),
      resources: places.map((place) => ({ ...ofEach, cid: `bafy${place}` })),
    };
  };

  it('needs a number of reads that grows in proportion to the number of added records', () => {
    const readsOf = (length: number) => {
      let reads = 0;
      const counted = <Value extends object>(value: Value): Value =>
        new Proxy(value, {
          get(target, name) {
            reads += 1;
            const member = Reflect.get(target, name);
            return typeof member === 'object' && member !== null ? counted(member) : member;
          },
        });
      convert(counted(chainOf(length)));
      return reads;
    };
    expect(readsOf(400) - readsOf(200)).toBe(2 * (readsOf(200) - readsOf(100)));
  });
});
