import { randomUUID } from 'node:crypto';
import { mapRoot, toBase64, verifyBundle, verifyWalk } from '@colophon/model';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createVerifySignature } from '../../src/access/ed25519.js';
import type { Databases } from '../../src/platform/db/open-databases.js';
import { readLogSize } from '../../src/transparency-log/log.sql.js';
import { MAX_PREFIX_NAMES } from '../../src/transparency-log/map-buckets.js';
import {
  advanceMentions,
  type MapState,
  readMap,
  readPrefixGroups,
} from '../../src/transparency-log/mention-index.js';
import { planProof, proveMentions, sortByKey } from '../../src/transparency-log/prove-mentions.js';
import { createProver, recordLongHistory, toAction, trusted } from '../support/long-history.js';
import { watchDatabase } from '../support/watch-database.js';

const verify = createVerifySignature();
const PROJECT = randomUUID();
let databases: Databases;
const { write, toDeps, prove } = createProver(() => databases, PROJECT);

beforeAll(async () => {
  databases = await recordLongHistory(PROJECT);
}, 120_000);
afterAll(() => databases.close());

/** Computed without the stored roots. */
async function rootOfEntries(): Promise<string> {
  const rows = await databases.provenance.query<{ key: string; hash: string }>(
    `select encode(name_key, 'hex') as key, encode(leaf_hash, 'hex') as hash
     from provenance.record_map_entry where project_id = $1 order by name_key`,
    [PROJECT],
  );
  expect(rows.length).toBeGreaterThan(5_400);
  const entries = rows.map(({ key, hash }) => ({
    key: Buffer.from(key, 'hex'),
    hash: Buffer.from(hash, 'hex'),
  }));
  return toBase64(mapRoot(entries));
}

it('the map gets many identifiers in short portions, and ends with the root of all entries', async () => {
  const project = { projectId: PROJECT, version: 2, maxPrefixNames: MAX_PREFIX_NAMES } as const;
  const nameMany = (action: number) => Array.from({ length: 900 }, (_, place) => `many ${action} ${place}`);
  await write(Array.from({ length: 6 }, (_, action) => toAction(nameMany(action), [`all of ${action}`])));
  const { provenance } = databases;
  const size = await readLogSize(provenance, PROJECT);
  const counts: number[] = [];
  const counted = watchDatabase(databases.provenance, (rows) => void counts.push(rows.length));
  let state: MapState | undefined;
  for (let portions = 0; state === undefined; portions++) {
    expect(portions).toBeLessThan(60);
    state = await counted.transaction((tx) => advanceMentions(tx, project, size));
    const bytes = Buffer.alloc(32);
    const appending = provenance.transaction(async (tx) => {
      await tx.query('select provenance.append_statement($1, 2, 0, 0, $2, $3)', [PROJECT, bytes, bytes]);
      throw new Error('appended');
    });
    await expect(appending).rejects.toThrow(state === undefined ? 'has gaps' : 'appended');
  }
  expect(Math.max(...counts)).toBeLessThan(2_500);
  expect(state.root).toBe(await rootOfEntries());
});

it('`readMap` with `isLast` computes all roots that `advanceMentions` left out', async () => {
  const project = { projectId: PROJECT, version: 2, maxPrefixNames: MAX_PREFIX_NAMES } as const;
  const names = Array.from({ length: 600 }, (_, place) => `gap ${place}`);
  await write([toAction(names, ['gaps'])]);
  const { provenance } = databases;
  const size = await readLogSize(provenance, PROJECT);
  expect(await provenance.transaction((tx) => advanceMentions(tx, project, size))).toBeUndefined();
  const read = await provenance.transaction((tx) => readMap(tx, project, { isLast: true }));
  expect(read?.root).toBe(await rootOfEntries());
});

it('a proof ends although records arrive between its portions', async () => {
  const names = (batch: number) => Array.from({ length: 700 }, (_, place) => `busy ${batch} ${place}`);
  await write(Array.from({ length: 4 }, (_, batch) => toAction(names(batch), [`busy ${batch}`])));
  let portions = 0;
  const limitConcurrency = async <T>(_: string, run: () => Promise<T>) => {
    portions++;
    if (portions > 100) throw new Error('The proof does not end');
    await write([
      toAction(
        Array.from({ length: 30 }, (_, place) => `late ${portions} ${place}`),
        ['late'],
      ),
    ]);
    return run();
  };
  const proven = await prove({ ...toDeps(), limitConcurrency }, { cid: 'busy 0' });
  expect(verifyBundle(proven, trusted, verify)).toMatchObject({ verified: true, complete: true });
  expect(portions).toBeGreaterThan(4);
});

it('a proof of 300 names reads at most three rows per name and one per short prefix', async () => {
  const project = { projectId: PROJECT, version: 2, maxPrefixNames: MAX_PREFIX_NAMES } as const;
  const names = await sortByKey(Array.from({ length: 300 }, (_, place) => ({ name: `many 0 ${place}` })));
  let count = 0;
  const counted = watchDatabase(databases.provenance, (rows) => {
    count += rows.length;
  });
  const { root, byName } = await counted.transaction(async (tx) => {
    const state = await readMap(tx, project);
    if (state === undefined) throw new Error('The map has gaps');
    count = 0;
    return {
      root: state.root,
      ...(await proveMentions(tx, project, {
        names,
        plan: await planProof(tx, project, { names, top: state.top }),
      })),
    };
  });
  expect(count).toBeGreaterThan(names.length);
  expect(count).toBeLessThanOrEqual(256 + 3 * names.length);
  expect(Object.keys(byName)).toHaveLength(names.length);
  const leaves = await databases.provenance.query<{ key: string; hash: string }>(
    `select encode(name_key, 'base64') as key, encode(leaf_hash, 'base64') as hash
     from provenance.record_map_entry where project_id = $1`,
    [PROJECT],
  );
  const leafOf = new Map(leaves.map(({ key, hash }) => [key, Buffer.from(hash, 'base64')]));
  for (const one of names) {
    const path = byName['name' in one ? one.name : '']?.path ?? [];
    const steps = path.map(({ bit, hash }) => ({ bit, hash: Buffer.from(hash, 'base64') }));
    const leaf = leafOf.get(toBase64(one.key)) ?? Buffer.alloc(0);
    expect(verifyWalk({ key: one.key, leaf, path: steps }, Buffer.from(root, 'base64'))).toBe(true);
  }
});

it('after a node of an earlier version has changed the map, a proof reads each root from its own row', async () => {
  const { provenance } = databases;
  await prove(toDeps(), { cid: 'source' });
  // An earlier version updates the root of a row and the number of leaves, but not the packed roots (`below`, `top`).
  await provenance.query(
    `update provenance.record_map_node set below = substr(below, 35), below_root = sha256(hash)
     where project_id = $1 and octet_length(prefix) = 1`,
    [PROJECT],
  );
  await provenance.query(
    `update provenance.record_map set top = substr(top, 34), top_leaves = leaves - 1 where project_id = $1`,
    [PROJECT],
  );
  const again = await prove(toDeps(), { cid: 'source' });
  expect(verifyBundle(again, trusted, verify)).toMatchObject({ verified: true, complete: true });
  await write([toAction([], ['after an earlier version'])]);
  const after = await prove(toDeps(), { cid: 'after an earlier version' });
  expect(verifyBundle(after, trusted, verify)).toMatchObject({ verified: true, complete: true });
  expect(after.proof.mentions.statement.root).toBe(await rootOfEntries());
});

it('a proof reads the roots of a prefix from one row, also after a further record', async () => {
  const { provenance } = databases;
  const project = { projectId: PROJECT, version: 2, maxPrefixNames: MAX_PREFIX_NAMES } as const;
  await write([toAction([], ['packed'])]);
  await prove(toDeps(), { cid: 'packed' });
  // A proof packs the roots of at most 32 prefixes.
  const prefixes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
  await provenance.transaction(async (tx) => {
    await readMap(tx, project);
    for (let at = 0; at < prefixes.length; at += 32)
      await readPrefixGroups(tx, project, prefixes.slice(at, at + 32));
    await tx.query(
      'delete from provenance.record_map_node where project_id = $1 and octet_length(prefix) = 2',
      [PROJECT],
    );
  });
  const packed = await prove(toDeps(), { cid: 'packed' });
  expect(verifyBundle(packed, trusted, verify)).toMatchObject({ verified: true, complete: true });
  await write([toAction([], ['packed'])]);
  const after = await prove(toDeps(), { cid: 'packed' });
  expect(verifyBundle(after, trusted, verify)).toMatchObject({ verified: true, complete: true });
  expect(after.proof.mentions.statement.root).toBe(await rootOfEntries());
});
