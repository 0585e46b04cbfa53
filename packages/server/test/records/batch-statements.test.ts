import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Databases } from '../../src/platform/db/open-databases.js';
import { draftAttribution, draftEntity } from '../../src/records/draft/draft-records.js';
import type { RecordItem } from '../../src/records/draft/record-item.js';
import { draftActionItem } from '../../src/records/write/record-action.js';
import { createRecorder } from '../../src/records/write/recorder.js';
import { isOnCluster } from '../support/citus-databases.js';
import { openOn } from '../support/open-on.js';

const AT = new Date('2026-01-01T00:00:00Z');
const CID = `sha256:${'c'.repeat(64)}`;
const many = (toItem: (place: number) => RecordItem) => Array.from({ length: 30 }, (_, at) => toItem(at));

const entity = (id: string): RecordItem => ({
  entities: [draftEntity({ id, role: 'human' }, { id, at: AT, asserted: {} })],
});
const attribution = (target: { role: string; actionId?: string; resourceCid?: string }): RecordItem => ({
  attributions: [draftAttribution({ ...target, id: randomUUID(), entityId: 'ann' }, {}, AT)],
});
const action = (id: string): RecordItem => {
  const input = { id, type: 'create', performedBy: 'ann', inputCids: [], outputCids: [CID] };
  return draftActionItem({ input: { ...input, resourceType: 'other', extensions: {} }, id, at: AT }, {});
};

// Statements are counted with a trigger, which Citus does not allow.
describe.each(['PGlite', 'PostgreSQL'])('a batch, on %s', (engine) => {
  const canCount = !(isOnCluster() && engine === 'PostgreSQL');
  let databases: Databases;
  beforeAll(async () => {
    databases = await openOn(engine);
    if (!canCount) return;
    await databases.provenance.query('create sequence provenance.inserts minvalue 0');
    await databases.provenance.query(`create function provenance.count_insert() returns trigger language plpgsql as
      $$ begin perform nextval('provenance.inserts'); return null; end $$`);
    for (const table of ['entity', 'attribution'])
      await databases.provenance.query(`create trigger count_insert after insert on provenance.${table}
        for each statement execute function provenance.count_insert()`);
  }, 60_000);
  afterAll(() => databases.close());

  /** Counts the statements that insert entities or attributions. */
  async function countInserts(projectId: string, items: RecordItem[]): Promise<number> {
    await databases.provenance.query(`select setval('provenance.inserts', 0)`);
    const outcome = await createRecorder(databases.provenance).recordBatch(projectId, { items });
    expect(outcome).toMatchObject({ outcome: 'recorded' });
    const [row] = await databases.provenance.query<{ last: string }>(
      'select last_value::text as last from provenance.inserts',
    );
    return Number(row?.last);
  }

  it.runIf(canCount)(
    'writes new entities with one statement, and a known entity with a second one',
    async () => {
      const projectId = randomUUID();
      await countInserts(projectId, [entity('ann')]);
      const items = [...many((place) => entity(`new ${place}`)), entity('ann')];
      expect(await countInserts(projectId, items)).toBe(2);
    },
  );

  it.runIf(canCount)(
    'writes its attributions with one statement, whether or not it also has their actions',
    async () => {
      const projectId = randomUUID();
      const [id, laterId] = [randomUUID(), randomUUID()];
      const ofContent = many((place) => attribution({ role: `role ${place}`, resourceCid: CID }));
      const first = [entity('ann'), action(id), ...ofContent, attribution({ role: 'editor', actionId: id })];
      // One statement for the entity, one for the attribution of the performer, and one for the attributions.
      expect(await countInserts(projectId, first)).toBe(3);
      const later = [action(laterId), ...ofContent, attribution({ role: 'reviewer', actionId: id })];
      expect(await countInserts(projectId, later)).toBe(2);
      const [row] = await databases.provenance.query<{ count: number }>(
        'select count(*)::int as count from provenance.attribution where project_id = $1',
        [projectId],
      );
      expect(row?.count).toBe(2 * 1 + 30 + 2);
    },
  );

  it.runIf(canCount)('writes all actions with one statement if each has one output', async () => {
    const projectId = randomUUID();
    await countInserts(projectId, [entity('ann')]);
    const items = many(() => action(randomUUID()));
    expect(await countInserts(projectId, items)).toBe(1);
  });

  it.runIf(canCount)('writes the repetition of an attribution separately', async () => {
    const projectId = randomUUID();
    const ofContent = many((place) => attribution({ role: `role ${place}`, resourceCid: CID }));
    const again = attribution({ role: 'role 0', resourceCid: CID });
    // One statement more: the last attribution is decided alone.
    expect(await countInserts(projectId, [entity('ann'), action(randomUUID()), ...ofContent, again])).toBe(4);
  });

  it.runIf(canCount)('decides attributions together, except the one that names an alias', async () => {
    const projectId = randomUUID();
    await databases.provenance.query(
      `insert into provenance.content_alias (project_id, alias, cid) values ($1, 'alias', $2)`,
      [projectId, CID],
    );
    const ofContent = many((place) => attribution({ role: `role ${place}`, resourceCid: CID }));
    const ofAlias = attribution({ role: 'editor', resourceCid: 'alias' });
    expect(await countInserts(projectId, [entity('ann'), action(randomUUID()), ...ofContent, ofAlias])).toBe(
      4,
    );
  });

  it.runIf(canCount)('looks up consecutive attributions without a function call for each', async () => {
    const projectId = randomUUID();
    await databases.provenance.query('create sequence provenance.lookups minvalue 0');
    await databases.provenance.query(`create or replace function provenance.stored_attribution(p_project uuid,
      p_body jsonb) returns uuid language plpgsql as
      $$ begin perform nextval('provenance.lookups'); return null; end $$`);
    const ofContent = many((place) => attribution({ role: `role ${place}`, resourceCid: CID }));
    const items = [entity('ann'), action(randomUUID()), ...ofContent];
    await createRecorder(databases.provenance).recordBatch(projectId, { items });
    const again = await createRecorder(databases.provenance).recordBatch(projectId, {
      items: many((place) => attribution({ role: `role ${place}`, resourceCid: CID })),
    });
    const ids = ofContent.map(({ attributions = [] }) => attributions[0]?.id);
    expect(again).toEqual({ outcome: 'recorded', records: ids.map((id) => ({ id, created: false })) });
    const [row] = await databases.provenance.query<{ hasCalls: boolean }>(
      'select is_called as "hasCalls" from provenance.lookups',
    );
    expect(row?.hasCalls).toBe(false);
  });

  it.runIf(canCount)(
    'returns only the members of an outcome that the response of a batch needs',
    async () => {
      const projectId = randomUUID();
      const [made, first, credit] = [
        action(randomUUID()),
        entity('ann'),
        { role: 'editor', resourceCid: CID },
      ];
      const items = [first, made, attribution(credit)];
      const places = { newEntities: { ann: [1] }, entities: {}, chained: [{ place: 3, maker: 2 }] };
      const [row] = await databases.provenance.query<{ runs: object[] }>(
        'select to_jsonb(provenance.record_runs($1, $2::jsonb, $3::jsonb)) as runs',
        [projectId, JSON.stringify(items), JSON.stringify({ apart: [], ...places })],
      );
      const attributed = { id: items[2]?.attributions?.[0]?.id, entityId: 'ann' };
      expect(row?.runs).toEqual([
        { outcome: 'recorded', entities: [{ id: 'ann', created: true }] },
        {
          outcome: 'recorded',
          action: { id: made.action?.id, performedBy: 'ann', digest: `sha256:${made.action?.digest}` },
        },
        { outcome: 'recorded', entities: [], attributions: [{ created: true, attribution: attributed }] },
      ]);
    },
  );

  describe('with a limit of 5 actions that it writes one by one', () => {
    const LIMIT = { maxSerialActions: 5 };
    const cids = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => `sha256:${(from + at).toString(16).padStart(64, '0')}`);
    const step = (inputCids: string[], outputCids: string[], performedBy = 'ann'): RecordItem => {
      const id = randomUUID();
      const input = { id, type: 'transform', performedBy, inputCids, outputCids };
      return draftActionItem({ input: { ...input, resourceType: 'other', extensions: {} }, id, at: AT }, {});
    };
    const record = (projectId: string, items: RecordItem[], options = {}) =>
      createRecorder(databases.provenance, options).recordBatch(projectId, { items });
    /** Returns actions that make `count` of the 6 contents. */
    const openUsed = async (projectId: string, count: number) => {
      const used = cids(1, 6);
      await record(projectId, [entity('ann'), step(used, cids(90, 1))]);
      return used.slice(0, count).map((cid, at) => step(cids(10 + at, 1), [cid]));
    };
    const countActions = async (projectId: string) => {
      const [row] = await databases.provenance.query<{ count: number }>(
        'select count(*)::int as count from provenance.action where project_id = $1',
        [projectId],
      );
      return row?.count;
    };

    it('writes 5 actions with used outputs, but does not try to write 6', async () => {
      const projectId = randomUUID();
      const six = await openUsed(projectId, 6);
      if (canCount) await databases.provenance.query(`select setval('provenance.inserts', 0, false)`);
      for (const items of [six, [entity('new'), ...six]])
        expect(await record(projectId, items, LIMIT)).toEqual({ outcome: 'serial', actions: 6, most: 5 });
      if (canCount)
        expect(await databases.provenance.query('select is_called as tried from provenance.inserts')).toEqual(
          [{ tried: false }],
        );
      const five = six.slice(0, 5);
      expect(await record(projectId, [...five, ...five], LIMIT)).toMatchObject({ outcome: 'recorded' });
      expect(await countActions(projectId)).toBe(6);
    });

    it('limits neither fresh nor repeated actions, and limits none without the setting', async () => {
      const projectId = randomUUID();
      const six = await openUsed(projectId, 6);
      const chain = cids(20, 9).map((cid, at) => step(cids(19 + at, 1), [cid]));
      for (const items of [chain, chain])
        expect((await record(projectId, items, LIMIT)).outcome).toBe('recorded');
      expect((await record(projectId, six)).outcome).toBe('recorded');
      expect((await record(projectId, six, LIMIT)).outcome).toBe('recorded');
      expect(await countActions(projectId)).toBe(1 + 9 + 6);
    });

    it('names the actions that the database rejects instead of the limit', async () => {
      const projectId = randomUUID();
      const items = cids(20, 9).map((cid) => step([], [cid], 'nobody'));
      const { refused } = (await record(projectId, items, LIMIT)) as { refused: unknown[] };
      expect(refused).toHaveLength(9);
    });

    it('counts all actions when the batch names an alias, because all are then written one by one', async () => {
      const projectId = randomUUID();
      const sql = `insert into provenance.content_alias (project_id, alias, cid) values ($1, 'alias', $2)`;
      await databases.provenance.query(sql, [projectId, CID]);
      await record(projectId, [entity('ann')]);
      const items = [...cids(20, 5).map((cid) => step([], [cid])), step(['alias'], [])];
      expect(await record(projectId, items, LIMIT)).toEqual({ outcome: 'serial', actions: 6, most: 5 });
      expect((await record(projectId, items.slice(1), LIMIT)).outcome).toBe('recorded');
    });
  });
});
