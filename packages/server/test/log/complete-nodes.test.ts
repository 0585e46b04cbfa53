import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSigner } from '../../src/access/ed25519.js';
import type { Database } from '../../src/platform/db/database.js';
import { type Databases, openDatabases } from '../../src/platform/db/open-databases.js';
import { createFairLimit, createGroupedLimit } from '../../src/platform/work/limit-concurrency.js';
import { readCheckpoint } from '../../src/transparency-log/checkpoint.js';
import { createCompleteNodes } from '../../src/transparency-log/complete-nodes.js';
import type { TransparencyLogDeps } from '../../src/transparency-log/deps.js';
import { nameLogs } from '../../src/transparency-log/log.sql.js';
import { toLogSigner } from '../../src/transparency-log/log-signer.js';
import { createPublicLogs } from '../../src/transparency-log/public-logs.js';
import { recordItems, toEntityItem } from '../support/plain-items.js';

/** 11 complete tiles need three steps of at most four tiles. */
const LEAVES = 11 * 256 + 3;
const SMALL = 200;

describe('the hashes of a log without stored nodes', () => {
  let databases: Databases;
  const [project, other] = [randomUUID(), randomUUID()];
  let [turns, stores] = [0, 0];
  let beforeTurn: () => Promise<void> | void = () => {};

  beforeAll(async () => {
    databases = await openDatabases({ kind: 'memory' });
    const { provenance } = databases;
    await nameLogs(provenance, 'localhost');
    for (const [id, leaves] of [
      [project, LEAVES],
      [other, SMALL],
    ] as const)
      await recordItems(
        provenance,
        id,
        Array.from({ length: leaves }, (_, place) => toEntityItem({ id: `e${place}`, role: 'human' })),
      );
    return () => databases.close();
  }, 60_000);
  beforeEach(() => {
    [turns, stores] = [0, 0];
    beforeTurn = () => {};
  });
  afterEach(() => databases.provenance.query('delete from provenance.log_node'));

  const toDeps = (): TransparencyLogDeps => {
    const { provenance } = databases;
    const query: Database['query'] = (text, parameters, signal) => {
      if (text.includes('insert into provenance.log_node')) stores += 1;
      return provenance.query(text, parameters, signal);
    };
    const limitConcurrency: TransparencyLogDeps['limitConcurrency'] = async (_, run, signal) => {
      signal?.throwIfAborted();
      turns += 1;
      await beforeTurn();
      return run();
    };
    const db = { ...provenance, query };
    return {
      ...{ provenance: db, limitConcurrency, service: 'localhost' },
      signer: toLogSigner(createSigner('07'.repeat(32))),
      readAnchoredLeaf: async () => undefined,
      completeNodes: createCompleteNodes(db, limitConcurrency),
    };
  };

  it('are computed once for all concurrent requests, in steps in the fair queue', async () => {
    const deps = toDeps();
    const notes = await Promise.all(Array.from({ length: 6 }, () => readCheckpoint(deps, project)));
    expect(new Set(notes).size).toBe(1);
    expect([turns, stores]).toEqual([3, 3]);
    await readCheckpoint(deps, project);
    expect([turns, stores]).toEqual([3, 3]);
  });

  it('are computed without the queue when one step is enough', async () => {
    const { completeNodes } = toDeps();
    await Promise.all(Array.from({ length: 6 }, () => completeNodes(project, 4 * 256)));
    expect([turns, stores]).toEqual([0, 1]);
  });

  it('are computed for the largest requested tree', async () => {
    const { completeNodes } = toDeps();
    await Promise.all([5, 11, 8, 11].map((tiles) => completeNodes(project, tiles * 256)));
    const [row] = await databases.provenance.query<{ nodes: number }>(
      'select count(*)::int as nodes from provenance.log_node',
    );
    expect([row?.nodes, stores]).toEqual([11, 4]);
  });

  it('are computed until all callers have left, and no further', async () => {
    const deps = toDeps();
    const [first, second] = [new AbortController(), new AbortController()];
    beforeTurn = () => (turns === 1 ? first.abort(new Error('left')) : second.abort(new Error('left')));
    const asked = [first, second].map(({ signal }) => readCheckpoint(deps, project, signal));
    expect(await Promise.allSettled(asked)).toMatchObject(Array(2).fill({ status: 'rejected' }));
    await expect.poll(() => stores).toBe(2);
    await readCheckpoint(deps, project);
    expect(stores).toBe(3);
  });

  it('are computed outside the slots for public reads, so a small log can be read meanwhile', async () => {
    const one = { atOnce: 1, waiting: 10 };
    const publicLogs = createPublicLogs({
      logs: toDeps(),
      isPublic: async () => true,
      limitConcurrency: createFairLimit(one),
      limitReads: createGroupedLimit({ all: one, ofGroup: one }),
    });
    const order: string[] = [];
    let read: Promise<unknown> | undefined;
    beforeTurn = async () => {
      read ??= publicLogs.readCheckpoint({ caller: 'b' }, other).then(() => order.push('small log'));
      await read;
    };
    await publicLogs.readCheckpoint({ caller: 'a' }, project).then(() => order.push('large log'));
    expect(order).toEqual(['small log', 'large log']);
  });
});
