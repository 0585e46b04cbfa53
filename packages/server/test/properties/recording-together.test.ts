import { createHash, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/platform/db/database.js';
import type { Databases } from '../../src/platform/db/open-databases.js';
import type { RecordItem } from '../../src/records/draft/record-item.js';
import { expectFresh, expectFreshInOrder } from '../../src/records/write/fresh-items.js';
import type { Outcome } from '../../src/records/write/outcome.js';
import { createRecorder } from '../../src/records/write/recorder.js';
import {
  readItemsNeedingDecision,
  record,
  recordBatch,
  recordFresh,
} from '../../src/records/write/recording.sql.js';
import { openOn } from '../support/open-on.js';

/** PROPERTY_RUNS sets the number of runs, and PROPERTY_SEED sets another seed. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? (process.env.LONG_TESTS ? 2000 : 80));
const SEED = Number(process.env.PROPERTY_SEED ?? 20_261_121);

const CIDS = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5'];
const ENTITIES = ['ann', 'bo'];
const FRESH = Array<string>(8).fill('fresh');
const hexOf = (text: string) => createHash('sha256').update(text).digest('hex');
const uuidOf = (text: string) => `${hexOf(text).slice(0, 8)}-0000-7000-8000-${hexOf(text).slice(8, 20)}`;
const rarely = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

/** Few ids, names, keys and signatures exist, so that requests affect each other. */
const asked = fc.record({
  type: fc.constantFrom('create', 'create', 'reference', 'transform', 'generate'),
  model: rarely(fc.constantFrom('one', 'two')),
  performedBy: fc.constantFrom(...Array<string>(8).fill('ann'), 'bo', 'nobody'),
  // About half of the outputs are new, so that most actions make no cycle.
  inputCids: fc.uniqueArray(fc.constantFrom(...CIDS, 'alias of c1'), { maxLength: 2 }),
  outputCids: fc.uniqueArray(fc.constantFrom(...CIDS, 'alias of c1', ...FRESH), {
    maxLength: 2,
  }),
  givenId: rarely(fc.constantFrom('one', 'two')),
  signature: rarely(fc.constantFrom('one', 'two')),
  key: rarely(fc.constantFrom('one', 'two')),
  note: fc.constantFrom('as it was', 'as it was', 'otherwise'),
  inputsMustBeKnown: fc.constantFrom(true, false, false, false),
  /** Aliases of the uploaded bytes. */
  upload: fc.option(
    fc.uniqueArray(fc.constantFrom('alias of c1', 'other name', 'c4', 'c5'), { maxLength: 2 }),
  ),
  uploader: fc.constantFrom('as stored', 'as stored', 'as stored', 'renamed'),
});
const entityAsked = fc.record({ entity: fc.constantFrom('bo', 'cleo') });
/** `action`: the given id of an action, or the position of the item with the action. */
const attributionAsked = fc
  .record({
    entityId: fc.constantFrom('ann', 'ann', 'ann', 'bo', 'cleo'),
    resourceCid: fc.constantFrom(undefined, ...CIDS, 'alias of c1'),
    action: rarely(fc.constantFrom('one', 'two', 'made at 0', 'made at 1')),
    role: fc.constantFrom('creator', 'contributor'),
  })
  .filter(({ resourceCid, action }) => resourceCid !== undefined || action !== undefined);
const batch = fc.array(fc.oneof({ weight: 8, arbitrary: asked }, { weight: 1, arbitrary: entityAsked }), {
  minLength: 1,
  maxLength: 12,
});
const attributedBatch = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: asked },
    { weight: 1, arbitrary: entityAsked },
    { weight: 5, arbitrary: attributionAsked },
  ),
  { minLength: 1, maxLength: 16 },
);
/** A batch without bytes and without keys of the items. Few batches name an alias. */
const plainBatch = fc
  .tuple(attributedBatch, fc.constantFrom(true, false, false, false))
  .map(([wishes, namesAlias]) =>
    wishes.map((wish) => {
      if ('entity' in wish) return wish;
      if ('entityId' in wish) {
        const { resourceCid } = wish;
        return { ...wish, resourceCid: namesAlias || !resourceCid?.startsWith('alias') ? resourceCid : 'c1' };
      }
      const name = (cids: readonly string[]) => cids.filter((cid) => namesAlias || !cid.startsWith('alias'));
      const [inputCids, outputCids] = [name(wish.inputCids), name(wish.outputCids)];
      return { ...wish, inputCids, outputCids, upload: null, key: undefined };
    }),
  );
/** Many actions make the same content. */
const sharingBatch = fc.array(
  fc.record({
    type: fc.constantFrom('create', 'reference', 'transform', 'generate'),
    model: fc.constantFrom(undefined, 'one', 'two'),
    performedBy: fc.constantFrom('ann', 'cleo'),
    outputCids: fc.uniqueArray(fc.constantFrom('c1', 'c2', 'c3'), { minLength: 1, maxLength: 2 }),
  }),
  { minLength: 1, maxLength: 6 },
);
type Asked = typeof attributedBatch extends fc.Arbitrary<(infer One)[]> ? One : never;
type AskedAction = Extract<Asked, { uploader: string }>;

const PLAIN: AskedAction = {
  ...{ type: 'create', model: undefined, performedBy: 'ann', inputCids: [], outputCids: [] },
  ...{ givenId: undefined, signature: undefined, key: undefined, note: 'as it was' },
  ...{ inputsMustBeKnown: false, upload: null, uploader: 'as stored' },
};

/** The same request at the same position gives an equal item. */
function toItem(wish: Asked | { entity: string }, place: number): RecordItem {
  if ('entity' in wish) {
    const body = { id: wish.entity, role: 'human' };
    return { entities: [{ id: wish.entity, body, given: body, digest: hexOf(wish.entity), salts: {} }] };
  }
  if ('entityId' in wish) return toAttribution(wish, place);
  const { type, model, performedBy, inputCids, givenId, signature, key, note, upload } = wish;
  const id = uuidOf(givenId ?? `made at ${place}`);
  const outputs = upload === null ? wish.outputCids : [wish.outputCids[0] ?? 'fresh'];
  const outputCids = outputs.map((cid) => (cid === 'fresh' ? `fresh ${place}` : cid));
  const [onlyOutput] = outputCids;
  const body = {
    id,
    type,
    performedBy,
    inputCids,
    outputCids,
    ...(signature === undefined ? {} : { proof: { algorithm: 'Ed25519', signature: hexOf(signature) } }),
    ...(model === undefined ? {} : { aiTool: { provider: 'maker', model } }),
    note,
  };
  const target = { id: uuidOf(`attribution ${place}`), entityId: performedBy, actionId: id, role: 'creator' };
  const fingerprint = hexOf(JSON.stringify({ ...body, note }));
  return {
    action: {
      id,
      body,
      digest: hexOf(`action ${place}`),
      salts: {},
      resourceType: 'other',
      fingerprint,
      idIsGiven: givenId !== undefined,
    },
    attributions: [
      {
        id: target.id,
        body: { ...target, ...(onlyOutput === undefined ? {} : { resourceCid: onlyOutput }) },
        digest: hexOf(`attribution ${place}`),
        salts: {},
      },
    ],
    inputsMustBeKnown: wish.inputsMustBeKnown,
    ...(upload === null || onlyOutput === undefined
      ? {}
      : toUpload(wish, { cid: onlyOutput, aliases: upload }, place)),
    ...(key === undefined ? {} : { idempotency: { scope: hexOf(key), fingerprint } }),
  };
}

function toAttribution(
  { entityId, resourceCid, action, role }: Extract<Asked, { entityId: string }>,
  place: number,
): RecordItem {
  const id = uuidOf(`attribution ${place}`);
  const body = {
    ...{ id, entityId, role },
    ...(action === undefined ? {} : { actionId: uuidOf(action) }),
    ...(resourceCid === undefined ? {} : { resourceCid }),
  };
  return { attributions: [{ id, body, digest: hexOf(`attribution ${place}`), salts: {} }] };
}

/** The members that accompany the bytes. */
function toUpload(
  { performedBy, uploader }: AskedAction,
  names: { cid: string; aliases: string[] },
  place: number,
): Partial<RecordItem> {
  const given = { id: performedBy, role: 'human', ...(uploader === 'renamed' ? { name: 'Another' } : {}) };
  const digest = hexOf(performedBy);
  return {
    entities: [{ id: performedBy, body: given, given, digest, salts: {} }],
    upload: {
      ...names,
      contentDigest: hexOf(names.cid),
      sizeBytes: 12,
      mimeType: 'text/plain',
      type: 'text',
      typeIsStated: false,
    },
    matches: [],
    jobs: [{ id: uuidOf(`job ${place}`), kind: 'test', payload: names }],
  };
}

/** The tests compare these columns. */
const TABLES = {
  entity: 'id, role, body, leaf_index',
  action: 'id, type, performed_by, session_id, inputs, outputs, body, digest, fingerprint, leaf_index',
  action_input: 'cid, action_id',
  action_output: 'cid, action_id',
  resource: 'cid, type, state, created_by, root_action, content_digest, size_bytes, mime_type, ai, tool',
  content_alias: 'alias, cid',
  outbox: 'id, kind, payload',
  attribution: 'id, entity_id, action_id, cid, role, body, digest, leaf_index',
  log_leaf: 'leaf_index, kind, record_id, digest',
  proof_use: 'signature, action_id',
  // The answer to an upload does not contain its entity.
  idempotency:
    "scope, fingerprint, outcome #- '{action,recordedAt}' #- '{resources,0,createdAt}' #- '{entities}'",
  anchor_due: 'size',
} as const;

async function readAll(db: Database, projectId: string): Promise<Record<string, string[]>> {
  const tables = Object.entries(TABLES).map(async ([table, columns]) => {
    const rows = await db.query<{ text: string }>(
      `select (row(${columns}))::text as text from provenance.${table} where project_id = $1 order by 1`,
      [projectId],
    );
    return [table, rows.map(({ text }) => text)] as const;
  });
  return Object.fromEntries(await Promise.all(tables));
}

/** The time of these actions is not later than that of the action before them in the log. */
async function countOutOfOrder(db: Database, projectId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from (
       select recorded_at <= lag(recorded_at) over (order by leaf_index) as wrong
       from provenance.action where project_id = $1) a where wrong`,
    [projectId],
  );
  return row?.count ?? -1;
}

const withoutTimes = (outcomes: unknown): unknown =>
  JSON.parse(
    JSON.stringify(outcomes, (key, value) => (['recordedAt', 'createdAt'].includes(key) ? undefined : value)),
  );

/** Omits the members that differ between two projects. */
function toAnswer(outcome: Outcome): unknown {
  if (outcome.outcome !== 'recorded' && outcome.outcome !== 'replayed') return withoutTimes(outcome);
  const resources = outcome.resources.map(({ cid, type, mimeType, size, state }) => ({
    cid,
    type,
    mimeType,
    size,
    state,
  }));
  return withoutTimes({ ...outcome, resources, entities: [] });
}

describe.each(['PGlite', 'PostgreSQL'])('items recorded together, on %s', (engine) => {
  // The same SQL runs on both engines, so the slower engine repeats only a part of the cases.
  const numRuns = engine === 'PGlite' ? Math.ceil(RUNS / 4) : RUNS;
  let databases: Databases;
  beforeAll(async () => {
    databases = await openOn(engine);
  }, 60_000);
  afterAll(() => databases.close());

  async function startProject(): Promise<string> {
    const id = randomUUID();
    const db = databases.provenance;
    const [first] = ENTITIES;
    await record(db, id, [JSON.stringify(toItem({ entity: first ?? '' }, 0))]);
    await db.query(
      `insert into provenance.content_alias (project_id, alias, cid) values ($1, 'alias of c1', 'c1')`,
      [id],
    );
    return id;
  }

  it('of one request get the same outcomes and records as items decided one by one', async () => {
    const db = databases.provenance;
    const counts = { fresh: 0, refused: 0 };

    /**
     * While the database refuses some items of the batch, repeats the batch without them. Returns the outcome of each
     * attempt.
     */
    async function recordAccepted(id: string, all: readonly RecordItem[], isSerial: boolean) {
      const outcomes = [];
      let items = all;
      while (items.length > 0) {
        const apart = items.map((_, place) => place + 1);
        const expected = isSerial ? { apart } : expectFreshInOrder(items);
        const serial = await readItemsNeedingDecision(db, id, expected);
        const outcome = await recordBatch(db, id, {
          items: items.map((item) => JSON.stringify(item)),
          expected,
        });
        outcomes.push(outcome);
        if (outcome.outcome !== 'refused') {
          counts.fresh += items.length - serial.size;
          break;
        }
        const refused = new Set(outcome.refused.map(({ place }) => place));
        counts.refused += refused.size;
        items = items.filter((_, place) => !refused.has(place));
      }
      return outcomes;
    }

    await fc.assert(
      fc.asyncProperty(fc.tuple(plainBatch, plainBatch), async (batches) => {
        const [together, oneByOne] = [await startProject(), await startProject()];
        for (const [index, wishes] of batches.entries()) {
          const items = wishes.map((wish, place) => toItem(wish, place + 20 * index));
          const expected = await recordAccepted(oneByOne, items, true);
          expect(await recordAccepted(together, items, false)).toEqual(expected);
        }
        expect(await readAll(db, together)).toEqual(await readAll(db, oneByOne));
        expect(await countOutOfOrder(db, together)).toBe(0);
      }),
      { numRuns, seed: SEED },
    );
    expect(Math.min(counts.fresh, counts.refused)).toBeGreaterThan(numRuns);
  }, 600_000);

  it('leave the same records about shared contents as actions written one by one', async () => {
    const db = databases.provenance;
    await fc.assert(
      fc.asyncProperty(fc.tuple(sharingBatch, sharingBatch), async (batches) => {
        const [together, oneByOne] = [await startProject(), await startProject()];
        for (const id of [together, oneByOne])
          await record(db, id, [JSON.stringify(toItem({ entity: 'cleo' }, 1))]);
        for (const [index, wishes] of batches.entries()) {
          const items = wishes.map((wish, place) => toItem({ ...PLAIN, ...wish }, place + 20 * index));
          const texts = items.map((item) => JSON.stringify(item));
          const expected = expectFreshInOrder(items);
          expect([...expected.apart, ...(await readItemsNeedingDecision(db, together, expected))]).toEqual(
            [],
          );
          await recordBatch(db, together, { items: texts, expected });
          await record(db, oneByOne, texts);
        }
        expect(await readAll(db, together)).toEqual(await readAll(db, oneByOne));
      }),
      { numRuns: 2 * numRuns, seed: SEED },
    );
  }, 600_000);

  it('give the same result as if recorded one by one, with the items that need no decision first', async () => {
    const db = databases.provenance;
    let freshCount = 0;
    await fc.assert(
      fc.asyncProperty(fc.tuple(batch, batch), async ([earlier, later]) => {
        const projects = [await startProject(), await startProject(), await startProject()] as const;
        const [together, inTurn, tried] = projects;
        const recorder = createRecorder(db);
        for (const [index, wishes] of [earlier, later].entries()) {
          const items = wishes.map((wish, place) => toItem(wish, place + 20 * index));
          const texts = items.map((item) => JSON.stringify(item));
          const { apart } = await recordFresh(db, tried, { items: texts, expected: expectFresh(items) });
          freshCount += items.length - apart.length;
          // The first item is sent alone; the others wait and share a batch.
          const [, ...answers] = await Promise.all(
            [{ jobs: [] }, ...items].map((item) => recorder.record(together, item)),
          );
          const places = items.map((_, place) => place);
          const isApart = (place: number) => apart.includes(place + 1);
          const expected: unknown[] = [];
          for (const place of [...places.filter((one) => !isApart(one)), ...places.filter(isApart)])
            for (const outcome of await record(db, inTurn, [texts[place] ?? '']))
              expected[place] = toAnswer(outcome);
          expect(answers.map(toAnswer)).toEqual(expected);
        }
        expect(await readAll(db, together)).toEqual(await readAll(db, inTurn));
        expect(await countOutOfOrder(db, together)).toBe(0);
        expect(await countOutOfOrder(db, inTurn)).toBe(0);
      }),
      { numRuns, seed: SEED },
    );
    expect(freshCount).toBeGreaterThan(numRuns);
  }, 600_000);

  it.each([
    ['a little', '900 ms', true],
    ['by a day', '1 day', false],
  ])(
    'get a later time than the record before them, after the clock was set back %s (%s): %s',
    async (_, back, follows) => {
      const db = databases.provenance;
      const id = await startProject();
      const wish: AskedAction = { ...PLAIN, outputCids: ['fresh'] };
      await record(db, id, [JSON.stringify(toItem(wish, 0))]);
      await db.query(
        'update provenance.action set recorded_at = recorded_at + $2::interval where project_id = $1',
        [id, back],
      );
      for (let place = 1; place < 20; place++) await record(db, id, [JSON.stringify(toItem(wish, place))]);
      // A small step back of the clock puts no record out of order.
      expect(await countOutOfOrder(db, id)).toBe(follows ? 0 : 1);
    },
  );
});
