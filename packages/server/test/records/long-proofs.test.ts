import { randomUUID } from 'node:crypto';
import { type ProvenBundle, verifyBundle } from '@colophon/model';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createVerifySignature } from '../../src/access/ed25519.js';
import type { Databases } from '../../src/platform/db/open-databases.js';
import { toText } from '../../src/platform/json-text.js';
import { draftAttribution } from '../../src/records/draft/draft-records.js';
import { createBundleRows } from '../../src/records/read/bundle-rows.js';
import { readBundleText } from '../../src/records/read/read-histories.js';
import { readLogSize } from '../../src/transparency-log/log.sql.js';
import { toLogSigner } from '../../src/transparency-log/log-signer.js';
import { countTurns } from '../support/count-turns.js';
import {
  AT,
  ATTRIBUTIONS,
  createProver,
  recordLongHistory,
  signer,
  TERMS,
  toAction,
  toAttribution,
  trusted,
} from '../support/long-history.js';
import { openScheduler } from '../support/scheduler.js';
import { watchDatabase } from '../support/watch-database.js';

const IN_STEPS = { whole: { limit: 0, maxBytes: 0 } };
const verify = createVerifySignature();
const PROJECT = randomUUID();
let databases: Databases;
const { write, toDeps, prove } = createProver(() => databases, PROJECT);

beforeAll(async () => {
  databases = await recordLongHistory(PROJECT);
}, 120_000);
afterAll(() => databases.close());

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

it('a proof gives its bundle to the signer in a separate buffer that can move to a thread', async () => {
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

/** Calls `disturb` during the first `times` readings. */
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
