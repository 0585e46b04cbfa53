import { createHash, randomUUID } from 'node:crypto';
import { actionKey, mentionKey, verifyBundle } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSigner, createVerifySignature } from '../../src/access/ed25519.js';
import type { Database } from '../../src/platform/db/database.js';
import { type Databases, openDatabases } from '../../src/platform/db/open-databases.js';
import { draftEntity } from '../../src/records/draft/draft-records.js';
import { readProvenBundle } from '../../src/records/read/prove-bundle.js';
import { draftActionItem } from '../../src/records/write/record-action.js';
import { createCompleteNodes } from '../../src/transparency-log/complete-nodes.js';
import type { TransparencyLogDeps } from '../../src/transparency-log/deps.js';
import { nameLogs } from '../../src/transparency-log/log.sql.js';
import { toLogSigner } from '../../src/transparency-log/log-signer.js';
import { countShort } from '../../src/transparency-log/map-buckets.js';
import { countTurns } from '../support/count-turns.js';
import { recordItems } from '../support/plain-items.js';
import { watchDatabase } from '../support/watch-database.js';

const AT = new Date();
/** The key and the hash. */
const LEAF_BYTES = 64;

const signer = createSigner('07'.repeat(32));
const trusted = { publicKey: Buffer.from(signer.publicKeyHex, 'hex') };
const verify = createVerifySignature();
let databases: Databases;

beforeAll(async () => {
  databases = await openDatabases({ kind: 'memory' });
  await nameLogs(databases.provenance, 'localhost');
});
afterAll(() => databases.close());

async function openProject() {
  const projectId = randomUUID();
  const write = (items: readonly object[]) => recordItems(databases.provenance, projectId, items);
  await write([
    { entities: [draftEntity({ id: 'ann', role: 'human' }, { id: 'ann', at: AT, asserted: {} })] },
  ]);
  const record = (...outputCids: string[]) => {
    const made = { type: 'create', performedBy: 'ann', inputCids: [], outputCids };
    const input = { ...made, resourceType: 'other', extensions: {} };
    return write([draftActionItem({ input, id: randomUUID(), at: AT }, {})]);
  };
  const prove = async (cid: string, deps: Partial<TransparencyLogDeps> = {}) => {
    const options = { cid, direction: 'ancestors', depth: undefined, limit: 1_000 } as const;
    const bundle = await readProvenBundle({ ...toDeps(), ...deps }, projectId, options);
    if (bundle === undefined) throw new Error('Nothing is known of the content');
    return verifyBundle(bundle, trusted, verify);
  };
  return { projectId, write, record, prove };
}

const toDeps = (): TransparencyLogDeps => ({
  provenance: databases.provenance,
  signer: toLogSigner(signer),
  service: 'localhost',
  readAnchoredLeaf: async () => undefined,
  limitConcurrency: (_, run) => run(),
  completeNodes: createCompleteNodes(databases.provenance, (_, run) => run()),
});

const countLeaves = (rows: readonly { packed?: string }[]) =>
  rows.reduce((sum, { packed = '' }) => sum + packed.length / 2 / LEAF_BYTES, 0);

/** Adds the number of leaves of each transaction to `read`, and then calls `after`. */
const countTransactions = (read: number[], after = async () => {}): Database => ({
  ...databases.provenance,
  transaction: async (run, options) => {
    let leaves = 0;
    const count = watchDatabase<{ packed?: string }>(databases.provenance, (rows) => {
      leaves += countLeaves(rows);
    });
    try {
      return await count.transaction(run, options);
    } finally {
      read.push(leaves);
      await after();
    }
  },
});

/** All keys have the first `bytes` bytes of the key of `name`. Callers can choose such identifiers. */
async function fillPrefix(
  projectId: string,
  { name, count, bytes = 3 }: { name: string; count: number; bytes?: number },
) {
  const prefix = Buffer.from(mentionKey(name)).toString('hex', 0, bytes);
  await databases.provenance.query(
    `insert into provenance.record_map_entry (project_id, name_key, chains, leaf_hash)
     select $1, filled.key, '', sha256('\\x00'::bytea || filled.key || sha256(''))
     from (select decode($2, 'hex') || substr(sha256(convert_to(n::text, 'utf8')), 1, $4) as key
           from generate_series(1, $3::int) as n) filled`,
    [projectId, prefix, count, 32 - bytes],
  );
}

function findEqual(count: number): string[] {
  const found = new Map<string, string[]>();
  for (let place = 0; ; place++) {
    const name = `name-${place}`;
    const prefix = createHash('sha256').update(name).digest('hex').slice(0, 4);
    const equal = [...(found.get(prefix) ?? []), name];
    if (equal.length === count) return equal;
    found.set(prefix, equal);
  }
}

// `times`: number of statements that read all keys with the prefix. The update of the map divides keys with the same 2
// bytes into small buckets. It cannot divide keys with the same 3 bytes, so the proof reads all of them again.
it.each([
  [2, 1],
  [3, 2],
])('other tasks run while the many keys of one prefix of %i bytes are hashed', async (bytes, times) => {
  const { projectId, record, prove } = await openProject();
  await record('one');
  await prove('one');
  await fillPrefix(projectId, { name: 'two', count: 4_000, bytes });
  await record('two');
  const turns = countTurns();
  let since: number | undefined;
  const turnsAfter: number[] = [];
  const provenance = watchDatabase<{ packed?: string }>(databases.provenance, (rows) => {
    if (since !== undefined) turnsAfter.push(turns.count - since);
    since = countLeaves(rows) >= 4_000 ? turns.count : undefined;
  });
  expect(await prove('two', { provenance })).toMatchObject({ verified: true, complete: true });
  turns.stop();
  expect(turnsAfter).toHaveLength(times);
  expect(Math.min(...turnsAfter)).toBeGreaterThanOrEqual(Math.floor(4_000 / 256));
});

it('one transaction reads at most about 16,384 keys of the map, unless a single record needs more', async () => {
  const { projectId, record, prove } = await openProject();
  await record('first');
  await prove('first');
  const names = Array.from({ length: 12 }, (_, place) => `full-${place}`);
  for (const name of names) await fillPrefix(projectId, { name, count: 4_000 });
  for (const name of names) await record(name);
  await record(...names);
  const read: number[] = [];
  expect(await prove('full-0', { provenance: countTransactions(read) })).toMatchObject({
    verified: true,
    complete: true,
  });
  // A transaction never adds only a part of a record.
  const [most = 0, ...others] = read.sort((one, other) => other - one);
  expect(most).toBeLessThan(12 * 4_100);
  expect(Math.max(...others)).toBeLessThan(17_000);
  expect(others.length).toBeGreaterThan(5);
});

const toId = (place: number) => `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`;

/**
 * Returns pairs of a name and the id of an action whose keys begin with the same byte. Pairs begin with different
 * bytes. So if the map has the name but not the id, the walk to the id ends in the bucket of the name.
 */
function findNeighbours(count: number): { name: string; id: string }[] {
  const first = new Map([[mentionKey('root')[0], 'root']]);
  for (let place = 0; first.size <= count; place++) {
    const name = `near-${place}`;
    const [byte] = mentionKey(name);
    if (!first.has(byte)) first.set(byte, name);
  }
  return [...first.values()].slice(1).map((name) => {
    const [byte, next] = mentionKey(name);
    for (let place = 0; ; place++) {
      const [idByte, idNext] = actionKey(toId(place));
      if (idByte === byte && idNext !== next) return { name, id: toId(place) };
    }
  });
}

describe('a proof of actions that are not in the map, which reads dense buckets', () => {
  /** Makes `root` with 12 actions without attributions, as an import does. */
  async function openDense() {
    const project = await openProject();
    const make = (cid: string, id: string) => {
      const input = { type: 'create', performedBy: 'ann', inputCids: [], outputCids: [cid] };
      const drafted = draftActionItem(
        { input: { ...input, resourceType: 'other', extensions: {} }, id, at: AT },
        {},
      );
      return { ...drafted, attributions: [] };
    };
    for (const [place, { name, id }] of findNeighbours(12).entries()) {
      await fillPrefix(project.projectId, { name, count: 4_000 });
      await project.write([make(name, toId(1_000_000 + place)), make('root', id)]);
      await project.prove(name);
    }
    return project;
  }

  it('reads at most about 16,384 keys in one transaction', async () => {
    const { prove } = await openDense();
    const read: number[] = [];
    expect(await prove('root', { provenance: countTransactions(read) })).toMatchObject({
      ...{ verified: true, complete: true, records: 12 + 1 },
    });
    expect(Math.max(...read)).toBeLessThan(17_000);
    expect(read.reduce((sum, leaves) => sum + leaves)).toBeGreaterThan(12 * 4_000);
  });

  it('gets 503 if the map changes after every transaction', async () => {
    const { record, prove } = await openDense();
    const read: number[] = [];
    let steps = 0;
    const provenance = countTransactions(read, async () => {
      // The proof of another content changes the map.
      steps += 1;
      await record(`other ${steps}`);
      await prove(`other ${steps}`);
    });
    await expect(prove('root', { provenance })).rejects.toMatchObject({
      code: 'Unavailable',
      message: expect.stringContaining(
        'The project changed during each of the tries to prove the history of root',
      ),
      recovery: expect.stringContaining('Send the request again after Retry-After'),
    });
    expect(Math.max(...read)).toBeLessThan(17_000);
  });
});

it.each([
  ['bucket with the longest prefix', '000000', 24, true],
  ['bucket that the map can divide', '000000', 23, false],
  ['prefix without stored buckets', '0000', undefined, false],
] as const)('only buckets that the map cannot divide are dense: a %s', async (_, prefix, bits, isDense) => {
  const key = bits === undefined ? prefix : `${prefix}${bits.toString(16)}`;
  const db = { query: async () => [{ prefix: key, leaves: 20_000 }] } as unknown as Database;
  const map = { projectId: randomUUID(), version: 2, maxPrefixNames: 16_384 } as const;
  const buckets = new Map([['0000', bits === undefined ? null : []]]);
  expect(await countShort(db, map, { keys: [key], buckets })).toEqual({ short: 1, isDense });
});

it('a prefix with more than MAX_PREFIX_NAMES names has no proof until the operator raises this limit', async () => {
  const { record, prove } = await openProject();
  const names = findEqual(5);
  for (const name of names.slice(0, 4)) await record(name);
  const [first = ''] = names;
  expect(await prove(first, { maxPrefixNames: 4 })).toMatchObject({ verified: true, complete: true });
  for (const name of names.slice(4)) await record(name);
  for (const cid of [first, 'ann'])
    await expect(prove(cid, { maxPrefixNames: 4 })).rejects.toMatchObject({
      code: 'Forbidden',
      message: expect.stringContaining('MAX_PREFIX_NAMES is 4'),
      recovery: expect.stringContaining('without proof=true'),
    });
  expect(await prove(first, { maxPrefixNames: 5 })).toMatchObject({ verified: true, complete: true });
});

it('a name has no proof if an earlier version put too many names under its prefix; other names have one', async () => {
  const { projectId, record, prove } = await openProject();
  await record('old');
  await record('new');
  await prove('old');
  await fillPrefix(projectId, { name: 'old', count: 100 });
  await expect(prove('old', { maxPrefixNames: 50 })).rejects.toMatchObject({ code: 'Forbidden' });
  expect(await prove('new', { maxPrefixNames: 50 })).toMatchObject({ verified: true, complete: true });
});
