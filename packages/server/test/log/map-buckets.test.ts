import { createHash } from 'node:crypto';
import { createMap, type MapEntry, type MapStep, mapRoot, walkMap } from '@colophon/model';
import { expect, it } from 'vitest';
import { createSha256 } from '../../src/transparency-log/create-sha256.js';
import {
  type Buckets,
  bucketOf,
  KEY_BYTES,
  toNodes,
  unpack,
} from '../../src/transparency-log/map-buckets.js';

/** The last byte is the number of bits of the prefix. */
const BUCKET_KEY_BYTES = 4;
const MOST_LEAVES = 8;
const MOST_BITS = 24;

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const toText = ({ bit, hash }: MapStep) => `${bit} ${toHex(hash)}`;
const toEntries = (leaves: ReadonlyMap<string, string>): MapEntry[] =>
  [...leaves].sort().map(([key, hash]) => ({ key: Buffer.from(key, 'hex'), hash: Buffer.from(hash, 'hex') }));

/** Updates the buckets in portions, as the service does. */
function createStore() {
  const leaves = new Map<string, string>();
  const buckets: Buckets = new Map();
  const roots = new Map<string, string>();
  const below = (prefix: string) => new Map([...leaves].filter(([key]) => key.startsWith(prefix)));
  const add = async (keys: readonly string[]) => {
    for (const key of keys) leaves.set(key, sha256(`${key} ${leaves.get(key)}`));
    const of = (key: string) => bucketOf(key, buckets);
    const changed = [...new Set(keys.map(of))].sort();
    const groups = changed.map((prefix) => {
      const own = [...below(prefix.slice(0, 4))].filter(([key]) => of(key) === prefix).sort();
      return { prefix, packed: own.map(([key, hash]) => key + hash).join('') };
    });
    for (const { key, hash, below: packed = '' } of await toNodes(groups, buckets)) {
      roots.set(key, hash);
      buckets.set(key, unpack({ packed }, BUCKET_KEY_BYTES));
    }
    return groups;
  };
  return { leaves, buckets, roots, below, add };
}

type Store = ReturnType<typeof createStore>;

/** The roots and the paths must be those of a map without buckets. */
function expectEqualMap({ leaves, buckets, roots, below }: Store) {
  const prefixes = [...new Set([...leaves.keys()].map((key) => key.slice(0, 4)))].sort();
  for (const prefix of prefixes) {
    const entries = toEntries(below(prefix));
    expect(roots.get(prefix), prefix).toBe(toHex(mapRoot(entries)));
    const divided = buckets.get(prefix) ?? [];
    expect(divided.length === 0).toBe(entries.length <= MOST_LEAVES);
    if (divided.length > 0) expectEqualWalks(entries, { divided, buckets });
  }
  const above = prefixes.map((prefix) => ({
    key: Buffer.from(prefix, 'hex'),
    hash: Buffer.from(roots.get(prefix) ?? '', 'hex'),
  }));
  expect(toHex(mapRoot(above))).toBe(toHex(mapRoot(toEntries(leaves))));
}

function expectEqualWalks(
  entries: MapEntry[],
  { divided, buckets }: { divided: readonly MapEntry[]; buckets: Buckets },
) {
  const own = new Map<string, MapEntry[]>();
  for (const entry of entries) {
    const bucket = bucketOf(toHex(entry.key), buckets);
    own.set(bucket, [...(own.get(bucket) ?? []), entry]);
  }
  expect([...own.keys()].sort()).toEqual(divided.map(({ key }) => toHex(key)));
  for (const { key, hash } of divided) {
    const leaves = own.get(toHex(key)) ?? [];
    expect(leaves.length <= MOST_LEAVES || key[3] === MOST_BITS, toHex(key)).toBe(true);
    expect(toHex(mapRoot(leaves))).toBe(toHex(hash));
  }
  const [whole, above] = [createMap(entries, createSha256), createMap(divided, createSha256)];
  if (whole === undefined || above === undefined) throw new Error('The map is empty');
  const prefix = toHex(entries[0]?.key ?? new Uint8Array()).slice(0, 4);
  const absent = toKeys(40, { from: 2_000_000, prefix }).map((key) => Buffer.from(key, 'hex'));
  const held = entries.filter((_, place) => place % 7 === 0).map(({ key }) => key);
  for (const key of [...held, ...absent]) {
    const upper = walkMap(above, key);
    const leaves = own.get(toHex(divided[upper.place]?.key ?? key)) ?? [];
    const bucket = createMap(leaves, createSha256);
    if (bucket === undefined) throw new Error('The bucket is empty');
    const lower = walkMap(bucket, key);
    const { place, path } = walkMap(whole, key);
    expect(leaves[lower.place]).toEqual(entries[place]);
    expect([...lower.path, ...upper.path].map(toText)).toEqual(path.map(toText));
  }
}

/** `from`: the number of the first key. */
const toKeys = (count: number, { from = 0, prefix = '0a0b' } = {}) =>
  Array.from({ length: count }, (_, place) =>
    (prefix + sha256(`key ${from + place}`)).slice(0, 2 * KEY_BYTES),
  );

it.each([1, 8, 9, 40, 460, 3_000])(
  'a prefix of %i leaves has the same root and walks as a map without buckets',
  async (count) => {
    const store = createStore();
    await store.add(toKeys(count));
    expectEqualMap(store);
  },
);

it('prefixes that grow in portions have the same root and walks as a map without buckets', async () => {
  const store = createStore();
  const prefixes = ['0000', '00ff', '7fff', '8000', 'ffff'];
  for (const [place, count] of [3, 14, 1, 30, 2, 100, 250].entries()) {
    const from = place * 1_000;
    // Each portion adds some earlier keys again.
    const added = prefixes.flatMap((prefix, other) =>
      toKeys(Math.floor(count / 4 ** other), { from, prefix }),
    );
    const again = [...store.leaves.keys()].filter((_, index) => index % 7 === place);
    await store.add([...added, ...again]);
    expectEqualMap(store);
  }
  expect([...store.buckets.values()].filter((divided) => divided?.length === 0)).not.toHaveLength(0);
});

it('keys that share more bits than a bucket can have stay in one bucket', async () => {
  const store = createStore();
  await store.add(toKeys(20, { prefix: '0a0b0c' }));
  await store.add(toKeys(500, { from: 1_000, prefix: '0a0b0c' }));
  await store.add([...toKeys(30, { prefix: '0a0b' }), ...toKeys(3, { prefix: '0a0bff' })]);
  expectEqualMap(store);
  expect(store.buckets.get('0a0b')?.map(({ key }) => toHex(key))).toContain('0a0b0c18');
});

it('a new key changes one bucket of at most 9 leaves, however many leaves its prefix has', async () => {
  for (const count of [20, 460, 900]) {
    const store = createStore();
    await store.add(toKeys(count));
    for (const key of toKeys(30, { from: 1_000_000 })) {
      const groups = await store.add([key]);
      expect(groups).toHaveLength(1);
      expect((groups[0]?.packed.length ?? 0) / 128).toBeLessThanOrEqual(MOST_LEAVES + 1);
    }
    expectEqualMap(store);
  }
});
