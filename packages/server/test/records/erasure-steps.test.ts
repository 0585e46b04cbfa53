import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../src/platform/db/database.js';
import type { Databases } from '../../src/platform/db/open-databases.js';
import { erasePersonalData } from '../../src/records/write/erase-personal-data.js';
import { eraseAnswers } from '../../src/records/write/erasure.sql.js';
import { createErase } from '../../src/records/write/share-erasures.js';
import { openOn } from '../support/open-on.js';
import { recordItems, toActionItem, toEntityItem } from '../support/plain-items.js';
import { openScheduler } from '../support/scheduler.js';
import { oneOrAll } from '../support/service.js';

/** The limits of `erase_answers`. */
const MOST = { rows: 200, bytes: 512 * 1_024 };

describe.each(oneOrAll(['PGlite', 'PostgreSQL']))('the steps of an erasure, on %s', (engine) => {
  let databases: Databases;
  let project: string;

  beforeAll(async () => {
    databases = await openOn(engine);
  });
  afterAll(() => databases.close());

  const query = <Row>(text: string, parameters: readonly unknown[] = []) =>
    databases.provenance.query<Row>(text, parameters);

  async function openProject(): Promise<void> {
    project = randomUUID();
    const items = ['ann', 'bo'].map((id) => toEntityItem({ id, role: 'human' }));
    await recordItems(databases.provenance, project, items);
    await query(
      `update provenance.entity set erasure = '{"at": "2026-01-01T00:00:00Z"}' where project_id = $1 and id = 'ann'`,
      [project],
    );
  }

  /** `bytes`: size of each response before compression. */
  const storeAnswers = (of: { entityId: string; from: number; to: number; bytes: number }) =>
    query(
      `insert into provenance.idempotency (project_id, scope, fingerprint, outcome, outcome_bytes)
       select $1, sha256(n::text::bytea), 'x', jsonb_build_object('action', jsonb_build_object('performedBy', $2::text,
         'text', repeat('x', $5::int))), $5::int
       from generate_series($3::int, $4::int) n`,
      [project, of.entityId, of.from, of.to, of.bytes],
    );
  const count = async (entityId: string) => {
    const [row] = await query<{ count: number }>(
      `select count(*)::int as count from provenance.idempotency
       where project_id = $1 and outcome->'action'->>'performedBy' = $2`,
      [project, entityId],
    );
    return row?.count ?? Number.NaN;
  };

  it.each([
    ['200 rows', 1_001, 64, MOST.rows],
    ['512 KiB', 300, 8_192, Math.ceil(MOST.bytes / 8_192)],
    ['one row of more than 512 KiB', 5, 2 * MOST.bytes, 1],
  ])('stored responses are erased in steps of at most %s', async (_, rows, bytes, most) => {
    await openProject();
    await storeAnswers({ entityId: 'ann', from: 1, to: rows, bytes });
    await storeAnswers({ entityId: 'bo', from: rows + 1, to: rows + 10, bytes });
    const options = { entityId: 'ann', after: '' };
    const deleted: number[] = [];
    for (let left = rows; ; ) {
      const after = await eraseAnswers(databases.provenance, project, options);
      const now = await count('ann');
      deleted.push(left - now);
      if (after === undefined) break;
      expect(after > options.after).toBe(true);
      options.after = after;
      left = now;
    }
    expect(Math.max(...deleted)).toBeLessThanOrEqual(most);
    expect(deleted.length).toBeGreaterThan(rows / most);
    expect([await count('ann'), await count('bo')]).toEqual([0, 10]);
    const kept = await query<{ count: number }>(
      `select count(*)::int as count from provenance.idempotency
       where project_id = $1 and fingerprint = '' and outcome->>'entityId' = 'ann'`,
      [project],
    );
    expect(kept).toEqual([{ count: rows }]);
  });

  it('each step waits for its turn, and the steps continue after many records that are erased already', async () => {
    await openProject();
    await storeAnswers({ entityId: 'ann', from: 1, to: 450, bytes: 64 });
    // The digest of `oldest` does not match, so the erasure reports this action.
    const [oldest, ...others] = Array.from({ length: 1_201 }, () => randomUUID());
    const toItem = (id: string) => toActionItem({ id, performedBy: 'ann', inputCids: [], outputCids: [] });
    await recordItems(databases.provenance, project, [oldest ?? '', ...others].map(toItem));
    await query(`update provenance.action set fingerprint = '' where project_id = $1 and id <> $2`, [
      project,
      oldest,
    ]);
    const scheduler = openScheduler();
    const run = vi.spyOn(scheduler, 'run');
    const { provenance } = databases;
    const { signal } = new AbortController();
    const erasure = erasePersonalData(
      { provenance, scheduler },
      { projectId: project, entityId: 'ann', signal },
    );
    await expect(erasure).rejects.toMatchObject({ details: { records: [{ kind: 'action', id: oldest }] } });
    expect(await count('ann')).toBe(0);
    // The last turn of each kind finds nothing: 1 + 1 turns are for the entity, 3 + 1 for the actions, 0 + 1 for the
    // attributions, 7 + 1 for the titles, and 3 + 1 for the responses.
    expect(run).toHaveBeenCalledTimes(19);
  });

  describe('of one entity', () => {
    /** Each step adds the node's name to `steps`, and then waits for `gate`. */
    function openNode(name: string, steps: string[], gate: Promise<unknown> = Promise.resolve()) {
      const scheduler = openScheduler();
      const original = scheduler.run;
      vi.spyOn(scheduler, 'run').mockImplementation(async (turn, task) => {
        steps.push(name);
        await gate;
        return original(turn, task);
      });
      const failures: unknown[] = [];
      const reportFailure = (error: unknown) => failures.push(error);
      const erase = createErase({ provenance: databases.provenance, scheduler, reportFailure, pollMs: 5 });
      const start = (signal = new AbortController().signal) =>
        erase({ projectId: project, entityId: 'ann', signal });
      return { start, failures };
    }
    async function openRecords(): Promise<void> {
      await openProject();
      const toItem = () =>
        toActionItem({ id: randomUUID(), performedBy: 'ann', inputCids: [], outputCids: [] });
      await recordItems(databases.provenance, project, Array.from({ length: 600 }, toItem));
      // Nothing is left to erase, so the digests of these actions do not matter.
      await query(`update provenance.action set fingerprint = '' where project_id = $1`, [project]);
    }
    const countLeases = async () => {
      const rows = await query(`select 1 from provenance.lease where name like 'erasure %'`);
      return rows.length;
    };

    it('run once for all requests of a node, which get the same result', async () => {
      await openRecords();
      const steps: string[] = [];
      const node = openNode('one', steps);
      const [first, ...others] = await Promise.all([node.start(), node.start(), node.start()]);
      const stepsOfAll = steps.length;
      expect(first?.erased.actions).toBe(0);
      expect(others).toEqual([first, first]);
      steps.length = 0;
      await openRecords();
      await node.start();
      expect(stepsOfAll).toBe(steps.length);
      expect([node.failures, await countLeases()]).toEqual([[], 0]);
    });

    it('run on one node after the other', async () => {
      await openRecords();
      const steps: string[] = [];
      const [one, two] = [openNode('one', steps), openNode('two', steps)];
      await Promise.all([one.start(), two.start()]);
      const turns = steps.filter((name, place) => name !== steps[place - 1]);
      expect(turns).toHaveLength(2);
      expect([one.failures, two.failures, await countLeases()]).toEqual([[], [], 0]);
    });

    it('do not begin when the caller disconnects while another node erases', async () => {
      await openRecords();
      const steps: string[] = [];
      const gate = new AbortController();
      const one = openNode('one', steps, once(gate.signal, 'abort'));
      const two = openNode('two', steps);
      const gone = new AbortController();
      const first = one.start();
      await vi.waitFor(() => expect(steps).toEqual(['one']));
      const second = two.start(gone.signal);
      await Promise.race([second, sleep(50)]);
      gone.abort(new Error('gone'));
      await expect(second).rejects.toThrow('gone');
      gate.abort();
      await first;
      expect(new Set(steps)).toEqual(new Set(['one']));
    });
  });

  it('other work runs while a step verifies its records', async () => {
    await openProject();
    const items = Array.from({ length: 50 }, () =>
      toActionItem({ id: randomUUID(), performedBy: 'ann', inputCids: [], outputCids: [] }),
    );
    await recordItems(databases.provenance, project, items);
    await query(`update provenance.action set salts = '{"x": "y"}' where project_id = $1`, [project]);
    let turns = 0;
    let counting: NodeJS.Immediate | undefined;
    const count = () => {
      turns++;
      counting = setImmediate(count);
    };
    const provenance: Database = {
      ...databases.provenance,
      async query(text, parameters) {
        clearImmediate(counting);
        if (text.includes('erase_records') && parameters?.[1] === 'action') turnsOfStep.push(turns);
        const rows = await databases.provenance.query(text, parameters);
        turns = 0;
        counting = setImmediate(count);
        return rows as never;
      },
    };
    const turnsOfStep: number[] = [];
    const options = { projectId: project, entityId: 'ann', signal: new AbortController().signal };
    await erasePersonalData({ provenance, scheduler: openScheduler() }, options).catch(() => {});
    clearImmediate(counting);
    expect(turnsOfStep).toHaveLength(1);
    expect(turnsOfStep[0]).toBeGreaterThan(0);
  });
});
