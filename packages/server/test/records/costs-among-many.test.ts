import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Queryable } from '../../src/platform/db/database.js';
import type { Databases } from '../../src/platform/db/open-databases.js';
import { draftAttribution, draftEntity } from '../../src/records/draft/draft-records.js';
import { draftActionItem } from '../../src/records/write/record-action.js';
import { openOn } from '../support/open-on.js';
import { oneOrAll } from '../support/service.js';

const AT = new Date();
const ACTION = randomUUID();
const COUNT = 40;

const TARGETS = [
  { resourceCid: 'content' },
  { actionId: ACTION },
  { actionId: ACTION, resourceCid: 'content' },
];

describe.each(oneOrAll(['PGlite', 'PostgreSQL']))('recording among many records, on %s', (engine) => {
  const project = randomUUID();
  let databases: Databases;

  beforeAll(async () => {
    databases = await openOn(engine);
    const input = { type: 'create', performedBy: 'ann', inputCids: [], outputCids: ['content'] };
    await write([
      { entities: [draftEntity({ id: 'ann', role: 'human' }, { id: 'ann', at: AT, asserted: {} })] },
      draftActionItem({ input: { ...input, resourceType: 'other', extensions: {} }, id: ACTION, at: AT }, {}),
    ]);
  }, 60_000);
  afterAll(() => databases.close());

  /** Counts the rows that the session has read in its transaction. */
  const countRows = async (db: Queryable, table: string) => {
    const [read] = await db.query<{ rows: number }>(
      `select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables
       where schemaname = 'provenance' and relname = $1`,
      [table],
    );
    return read?.rows ?? 0;
  };

  /** Returns the outcomes, and the number of rows that the statement read from `table`. */
  const write = (items: readonly object[], table = 'attribution') =>
    databases.provenance.transaction(async (tx) => {
      const before = await countRows(tx, table);
      const [row] = await tx.query<{ outcomes: Record<string, { created: boolean }[]>[] }>(
        'select provenance.record($1, $2::jsonb) as outcomes',
        [project, JSON.stringify(items)],
      );
      return { outcomes: row?.outcomes ?? [], rowsRead: (await countRows(tx, table)) - before };
    });

  const toItems = (from: number) =>
    Array.from({ length: COUNT }, (_, place) => {
      const target = { ...TARGETS[place % TARGETS.length], role: `ext:role-${from + place}` };
      return { attributions: [draftAttribution({ id: randomUUID(), entityId: 'ann', ...target }, {}, AT)] };
    });

  it('attributions of one content and one action have a constant cost, and a repetition creates none', async () => {
    for (let from = 0; from < 5 * COUNT; from += COUNT) {
      const { outcomes, rowsRead } = await write(toItems(from));
      expect(outcomes.flatMap(({ attributions }) => attributions?.map(({ created }) => created))).toEqual(
        Array(COUNT).fill(true),
      );
      // Each attribution reads three rows: for the index look-up, for the columns, and for the JSON of the answer.
      expect(rowsRead).toBeLessThanOrEqual(3 * COUNT);
    }
    const again = await write(toItems(0));
    expect(again.outcomes.map(({ attributions }) => attributions?.map(({ created }) => created))).toEqual(
      Array(COUNT).fill([false]),
    );
    expect(again.rowsRead).toBeLessThanOrEqual(4 * COUNT);
  });

  it('entities have a constant cost, and a repetition creates none', async () => {
    const toEntities = (from: number) =>
      Array.from({ length: COUNT }, (_, place) => {
        const body = { id: `e${from + place}`, role: 'human' };
        return { entities: [draftEntity(body, { id: body.id, at: AT, asserted: {} })] };
      });
    for (let from = 0; from < 10 * COUNT; from += COUNT) {
      const { outcomes, rowsRead } = await write(toEntities(from), 'entity');
      expect(outcomes.map(({ entities }) => entities?.map(({ created }) => created))).toEqual(
        Array(COUNT).fill([true]),
      );
      expect(rowsRead).toBeLessThanOrEqual(4 * COUNT);
    }
    const again = await write(toEntities(0), 'entity');
    expect(again.outcomes.map(({ entities }) => entities?.map(({ created }) => created))).toEqual(
      Array(COUNT).fill([false]),
    );
  });
});
