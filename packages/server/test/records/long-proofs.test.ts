import { randomUUID } from 'node:crypto';
import { mapRoot, type ProvenBundle, toBase64, verifyBundle, verifyWalk } from '@colophon/model';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSigner, createVerifySignature } from '../../src/access/ed25519.js';
import type { Database } from '../../src/platform/db/database.js';
import { type Databases, openDatabases } from '../../src/platform/db/open-databases.js';
import { toText } from '../../src/platform/json-text.js';
import { draftAttribution, draftEntity } from '../../src/records/draft/draft-records.js';
import { createBundleRows } from '../../src/records/read/bundle-rows.js';
import { readProvenBundle } from '../../src/records/read/prove-bundle.js';
import { readBundleText } from '../../src/records/read/read-histories.js';
import { draftActionItem } from '../../src/records/write/record-action.js';
import { createCompleteNodes } from '../../src/transparency-log/complete-nodes.js';
import type { TransparencyLogDeps } from '../../src/transparency-log/deps.js';
import { nameLogs, readLogSize } from '../../src/transparency-log/log.sql.js';
import { toLogSigner } from '../../src/transparency-log/log-signer.js';
import { MAX_PREFIX_NAMES } from '../../src/transparency-log/map-buckets.js';
import {
  advanceMentions,
  type MapState,
  readMap,
  readPrefixGroups,
} from '../../src/transparency-log/mention-index.js';
import { proveMentions, sortByKey } from '../../src/transparency-log/prove-mentions.js';
import { countTurns } from '../support/count-turns.js';
import { recordItems } from '../support/plain-items.js';
import { openScheduler } from '../support/scheduler.js';
import { watchDatabase } from '../support/watch-database.js';

const PROJECT = randomUUID();
const ATTRIBUTIONS = 1_500;
const TERMS = { cid: 'made', direction: 'ancestors', depth: undefined, limit: 1_000 } as const;
/** All histories are read in steps. */
const IN_STEPS = { whole: { limit: 0, maxBytes: 0 } };

const signer = createSigner('07'.repeat(32));
const trusted = { publicKey: Buffer.from(signer.publicKeyHex, 'hex') };
const verify = createVerifySignature();
let databases: Databases;

const write = (items: readonly object[]) => recordItems(databases.provenance, PROJECT, items);
const AT = new Date();
const toAction = (inputCids: string[], outputCids: string[]) => {
  const input = {
    type: 'transform',
    performedBy: 'ann',
    inputCids,
    outputCids,
    resourceType: 'other',
    extensions: {},
  };
  return draftActionItem({ input, id: randomUUID(), at: AT }, {});
};
const toAttribution = (role: string) => ({
  attributions: [draftAttribution({ id: randomUUID(), entityId: 'ann', resourceCid: 'made', role }, {}, AT)],
});

beforeAll(async () => {
  databases = await openDatabases({ kind: 'memory' });
  await nameLogs(databases.provenance, 'localhost');
  await write([
    { entities: [draftEntity({ id: 'ann', role: 'human' }, { id: 'ann', at: AT, asserted: {} })] },
  ]);
  await write([toAction([], ['source']), toAction(['source'], ['made'])]);
  const roles = Array.from({ length: ATTRIBUTIONS }, (_, place) => `ext:role-${place}`);
  await write(roles.map(toAttribution));
}, 120_000);
afterAll(() => databases.close());

const toDeps = (provenance: Database = databases.provenance): TransparencyLogDeps => ({
  provenance,
  signer: toLogSigner(signer),
  service: 'localhost',
  readAnchoredLeaf: async () => undefined,
  limitConcurrency: (_, run) => run(),
  completeNodes: createCompleteNodes(provenance, (_, run) => run()),
});
const prove = async (
  deps = toDeps(),
  options: Partial<Parameters<typeof readProvenBundle>[2]> = {},
): Promise<ProvenBundle> => {
  const proven = await readProvenBundle(deps, PROJECT, { ...TERMS, ...options });
  if (proven === undefined) throw new Error('Nothing is known of the content');
  return proven;
};

it('a bundle of many attributions equals the bundle without a proof, and verifies as complete', async () => {
  const { proof, ...shown } = await prove(toDeps(), IN_STEPS);
  const reads = {
    reads: databases.provenance,
    bundles: createBundleRows(databases.provenance),
    scheduler: openScheduler(),
  };
  const plain = await readBundleText(reads, PROJECT, TERMS);
  expect(JSON.stringify(shown)).toBe(JSON.stringify(JSON.parse(toText(plain ?? ''))));
  const report = verifyBundle({ ...shown, proof }, trusted, verify);
  expect(report).toMatchObject({ verified: true, complete: true, records: ATTRIBUTIONS + 5 });
});

it('a long proof checks repeatedly during its reads whether other projects have requests', async () => {
  const asked: string[] = [];
  const hasOtherRequests = (projectId: string) => asked.push(projectId) % 8 === 0;
  const proven = await prove({ ...toDeps(), hasOtherRequests }, IN_STEPS);
  expect(verifyBundle(proven, trusted, verify)).toMatchObject({ verified: true, complete: true });
  expect(new Set(asked)).toEqual(new Set([PROJECT]));
  expect(asked.length).toBeGreaterThan(10);
});

it('a bundle has the same bytes, whether one statement or several steps read it', async () => {
  const small = await prove(toDeps(), { cid: 'source' });
  expect(JSON.stringify(await prove(toDeps(), { cid: 'source', ...IN_STEPS }))).toBe(JSON.stringify(small));
});

it('concurrent proofs write one map to the log', async () => {
  await write([toAction([], ['other'])]);
  const before = await readLogSize(databases.provenance, PROJECT);
  const proven = await Promise.all(
    Array.from({ length: 3 }, () => prove(toDeps(), { cid: 'source', ...IN_STEPS })),
  );
  expect(await readLogSize(databases.provenance, PROJECT)).toBe(before + 1);
  for (const one of proven) expect(verifyBundle(one, trusted, verify)).toMatchObject({ verified: true });
});

it('a proof gives the bytes of its bundle to the signer in a separate buffer that can move to a thread', async () => {
  const { signBytes, ...local } = toLogSigner(signer);
  const given: unknown[] = [];
  const giving: typeof signBytes = (bytes, caller, options) => {
    if (bytes.length > 2 ** 17)
      given.push([bytes.buffer instanceof ArrayBuffer, bytes.buffer.byteLength - bytes.length, options]);
    return signBytes(bytes, caller, options);
  };
  await prove({ ...toDeps(), signer: { ...local, signBytes: giving } });
  expect(given).toEqual([[true, 0, { moves: true }]]);
});

it('other tasks run between the last statement of a proof and its signature', async () => {
  await prove();
  const turns = countTurns();
  let since = 0;
  let turnsUntilSigned = 0;
  const deps = toDeps(
    watchDatabase(databases.provenance, () => {
      since = turns.count;
    }),
  );
  const counting = {
    ...toLogSigner(signer),
    signBytes(bytes: Uint8Array, caller: string) {
      turnsUntilSigned = turns.count - since;
      return toLogSigner(signer).signBytes(bytes, caller);
    },
  };
  await prove({ ...deps, signer: counting });
  turns.stop();
  expect(turnsUntilSigned).toBeGreaterThan(ATTRIBUTIONS / 64);
});

it('no statement of a proof returns more than 512 KiB of text', async () => {
  const characters: number[] = [];
  const deps = toDeps(
    watchDatabase(databases.provenance, (rows) => void characters.push(JSON.stringify(rows).length)),
  );
  await prove(deps, IN_STEPS);
  expect(characters.length).toBeGreaterThan(ATTRIBUTIONS / 100);
  expect(Math.max(...characters)).toBeLessThan(512 * 1024);
});

it('a proof sends no more statements after its caller has disconnected', async () => {
  const gone = new AbortController();
  let count = 0;
  const deps = toDeps(
    watchDatabase(databases.provenance, () => {
      count++;
      if (count === 12) gone.abort();
    }),
  );
  await expect(prove(deps, { ...IN_STEPS, signal: gone.signal })).rejects.toThrow();
  expect(count).toBe(12);
});

it('records beyond the limit of a proof are left out, and the bundle is marked as incomplete', async () => {
  const bundle = await prove(toDeps(), { ...IN_STEPS, maxItems: 200 });
  expect(bundle.proof.records.length).toBeLessThan(210);
  expect(bundle).toMatchObject({ complete: false, truncatedAt: 1 });
  expect(verifyBundle(bundle, trusted, verify)).toMatchObject({ verified: true, complete: false });
});

/** Proves a bundle that is read in steps, and calls `disturb` during the first `times` readings. */
async function proveWhile(cid: string, disturb: () => Promise<unknown>, times = 1): Promise<ProvenBundle> {
  let left = times;
  let isBusy = false;
  const deps = toDeps(
    watchDatabase(databases.provenance, async (rows) => {
      const [row] = rows as { text?: string }[];
      if (isBusy || left === 0 || row?.text === undefined) return;
      left--;
      isBusy = true;
      await disturb();
      isBusy = false;
    }),
  );
  return prove(deps, { cid, ...IN_STEPS });
}

it('concurrent recordings and proofs do not invalidate the proof', async () => {
  await write([toAction([], ['early']), toAction(['early'], ['late'])]);
  const bundle = await proveWhile('late', async () => {
    await write([toAction([], ['early'])]);
    await prove(toDeps(), { cid: 'early' });
  });
  expect(verifyBundle(bundle, trusted, verify)).toMatchObject({ verified: true, complete: true });
  expect(bundle.actions).toHaveLength(3);
});

it('an attribution that another proof adds to the map during the read is in the bundle', async () => {
  await write([toAction([], ['credited'])]);
  const bundle = await proveWhile('credited', async () => {
    const input = { id: randomUUID(), entityId: 'ann', resourceCid: 'credited', role: 'ext:late' };
    const late = draftAttribution(input, {}, AT);
    await write([{ attributions: [late] }]);
    await prove(toDeps(), { cid: 'early' });
  });
  expect(verifyBundle(bundle, trusted, verify)).toMatchObject({ verified: true, complete: true });
  expect(bundle.attributions.map(({ role }) => role)).toContain('ext:late');
});

it('proofs convert a map to version 2 in portions, and the next proof completes a failed conversion', async () => {
  expect(await prove(toDeps(), { cid: 'source', version: 1 })).toMatchObject({ proof: { version: 1 } });
  const { provenance } = databases;
  await provenance.query('delete from provenance.record_map where project_id = $1', [PROJECT]);
  await provenance.query('delete from provenance.record_map_entry where project_id = $1', [PROJECT]);
  await provenance.query('delete from provenance.record_map_node where project_id = $1', [PROJECT]);
  const roles = Array.from({ length: 1_500 }, (_, place) => `ext:more-${place}`);
  await write(roles.map(toAttribution));
  let portions = 0;
  const limitConcurrency = <T>(_: string, run: () => Promise<T>) => {
    portions++;
    return run();
  };
  const counting = { ...toDeps(), limitConcurrency };
  let statements = 0;
  const failing = watchDatabase(databases.provenance, () => {
    statements++;
    if (statements === 7) throw new Error('The connection broke');
  });
  await expect(prove({ ...counting, provenance: failing }, { cid: 'source' })).rejects.toThrow(
    'The connection broke',
  );
  const converted = await prove(counting, { cid: 'source' });
  expect(portions).toBeGreaterThanOrEqual(3);
  expect(verifyBundle(converted, trusted, verify)).toMatchObject({ verified: true, complete: true });
  expect(converted.proof.version).toBe(2);
  const older = await prove(toDeps(), { cid: 'source', version: 1 });
  expect(verifyBundle(older, trusted, verify)).toMatchObject({ verified: true, complete: true });
});

/** The root over all entries of the map, computed without the stored roots. */
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

it('the map gets many identifiers in short portions, and its final root is the root of all entries', async () => {
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

it('the last read of the map computes all roots that earlier portions left out', async () => {
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
      ...(await proveMentions(tx, project, { names, top: state.top, buckets: new Map() })),
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

it('a proof after an earlier version changed the map reads the rows of the single roots', async () => {
  const { provenance } = databases;
  await prove(toDeps(), { cid: 'source' });
  // An earlier version replaces roots and the number of leaves, but keeps the packed roots of the state before.
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
  // A proof packs the roots of at most 32 prefixes. When all prefixes are packed, no proof needs the single rows.
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
