import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../src/platform/db/database.js';
import type { Databases } from '../../src/platform/db/open-databases.js';
import { erasePersonalData } from '../../src/records/write/erase-personal-data.js';
import { eraseAnswers } from '../../src/records/write/erasure.sql.js';
import { openOn } from '../support/open-on.js';
import { recordItems, toActionItem, toEntityItem } from '../support/plain-items.js';
import { openScheduler } from '../support/scheduler.js';

/** The limits of `erase_answers`. */
const MOST = { rows: 200, bytes: 128 * 1_024 };

describe.each(['PGlite', 'PostgreSQL'])('the steps of an erasure, on %s', (engine) => {
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

  /** Stores responses for Idempotency-Keys. `bytes` is the size of each; random text prevents compression. */
  const storeAnswers = (of: { entityId: string; from: number; to: number; bytes: number }) =>
    query(
      `insert into provenance.idempotency (project_id, scope, fingerprint, outcome)
       select $1, sha256(n::text::bytea), 'x', jsonb_build_object('action', jsonb_build_object('performedBy', $2::text,
         'text', (select string_agg(md5(n::text || part), '') from generate_series(1, $5::int / 32) part)))
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
    ['128 KiB', 300, 8_192, Math.ceil(MOST.bytes / 8_192)],
    ['one row that is larger', 5, 2 * MOST.bytes, 1],
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
    // 2 turns for the entity, 3 + 1 for the actions, 1 for the attributions, 3 + 1 for the responses.
    expect(run).toHaveBeenCalledTimes(11);
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
