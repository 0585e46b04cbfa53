import { createHash, randomUUID } from 'node:crypto';
import type { Bundle } from '@colophon/model';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Queryable } from '../../src/platform/db/database.js';
import type { Databases } from '../../src/platform/db/open-databases.js';
import { type JsonText, toText } from '../../src/platform/json-text.js';
import { MAX_ANSWER_BYTES } from '../../src/records/read/answer-size.js';
import { createBundleRows } from '../../src/records/read/bundle-rows.js';
import type { BundleQuery } from '../../src/records/read/histories.sql.js';
import { readBundleText, readSession } from '../../src/records/read/read-histories.js';
import { record } from '../../src/records/write/recording.sql.js';
import { installHistoryOracle } from '../support/history-oracle.js';
import { openOn } from '../support/open-on.js';
import { toActionItem } from '../support/plain-items.js';
import { openScheduler } from '../support/scheduler.js';

const RUNS = Number(process.env.PROPERTY_RUNS ?? (process.env.LONG_TESTS ? 1000 : 60));
const SEED = Number(process.env.PROPERTY_SEED ?? 20_261_122);

const CIDS = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7'];
const NAMES = [...CIDS, 'alias of c1', 'alias of "c6"'];
const ENTITIES = ['ann', 'bo "\\ é\n'];
const hexOf = (text: string) => createHash('sha256').update(text).digest('hex');

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
/** Edges lead forward in the list of names, so that no content is its own ancestor. */
const edge = fc.tuple(fc.nat(6), fc.nat(6), fc.nat(7)).map(([a, b, c]) => {
  const to = Math.max(1, c);
  return { inputs: [...new Set([a % to, b % to])].map((place) => CIDS[place] ?? ''), output: CIDS[to] ?? '' };
});
const action = fc.record({
  edge,
  inputCount: fc.nat(2),
  hasOutput: fc.boolean(),
  byOtherName: fc.boolean(),
  performedBy: fc.constantFrom(...ENTITIES),
  sessionId: maybe(fc.constantFrom('s', 't')),
  note: fc.constantFrom('plain', 'é "quoted" \\ \n', '😀'),
  isErased: fc.boolean(),
  target: fc.constantFrom('action', 'content', 'both', 'none'),
});
const resource = fc.record({
  cid: fc.constantFrom(...CIDS),
  hasBytes: fc.boolean(),
  mimeType: maybe(fc.constantFrom('image/png', 'text/"plain"')),
  owner: maybe(fc.constantFrom(...ENTITIES)),
  extensions: maybe(fc.constantFrom({}, { 'ext:a@1.0.0': { long: 1, b: [true, null] } })),
  pins: fc.uniqueArray(fc.constantFrom('pinata', 'kubo'), { maxLength: 2 }),
  pinned: fc.boolean(),
});
const world = fc.record({
  hasAliases: fc.boolean(),
  actions: fc.array(action, { maxLength: 14 }),
  resources: fc.uniqueArray(resource, { maxLength: 5, selector: ({ cid }) => cid }),
  events: fc.uniqueArray(fc.nat(13), { maxLength: 3 }),
  anchors: fc.array(
    fc.record({ size: fc.integer({ min: 1, max: 20 }), isRoot: fc.boolean(), state: fc.nat(2) }),
    {
      maxLength: 2,
    },
  ),
  erasesAnn: fc.boolean(),
});
type World = typeof world extends fc.Arbitrary<infer One> ? One : never;

const options = fc.record({
  cid: fc.constantFrom(...NAMES, 'nothing is known of it'),
  direction: fc.constantFrom('ancestors' as const, 'descendants' as const, 'both' as const),
  depth: maybe(fc.integer({ min: 1, max: 4 })),
  limit: fc.constantFrom(1, 2, 5, 10_000),
});

const someTerms = fc.array(options, { minLength: 12, maxLength: 12 });

/** Some of the compared answers must contain these texts. */
const MARKS = [
  '"cid"',
  '"aliases"',
  '"truncatedAt"',
  '"kubo"',
  '"onchain"',
  '"erasure"',
  '"size"',
  '"extensions"',
];

function toItem({ edge, byOtherName, ...wish }: World['actions'][number], place: number, aliases: boolean) {
  const id = randomUUID();
  const nameOf = (cid: string) => (byOtherName && aliases && cid === 'c1' ? 'alias of c1' : cid);
  const outputCids = wish.hasOutput ? [nameOf(edge.output)] : [];
  const inputCids = edge.inputs.slice(0, wish.inputCount).map(nameOf);
  const { performedBy, sessionId, note } = wish;
  const body = {
    id,
    performedBy,
    inputCids,
    outputCids,
    note,
    ...(sessionId && { sessionId }),
  };
  const target = {
    ...(wish.target === 'content' ? {} : { actionId: id }),
    ...(wish.target === 'action' ? {} : { resourceCid: nameOf(edge.output) }),
  };
  const attribution = {
    id: randomUUID(),
    entityId: performedBy,
    role: 'creator',
    note: `${place}`,
    ...target,
  };
  const said = { attributions: [{ id: attribution.id, body: attribution, digest: hexOf(id), salts: {} }] };
  return { id, items: [toActionItem(body), ...(wish.target === 'none' ? [] : [said])] };
}

async function build(db: Queryable, wanted: World): Promise<string> {
  const project = randomUUID();
  const entities = ENTITIES.map((id) => ({
    id,
    body: { id, role: 'human', name: id },
    given: {},
    digest: hexOf(id),
    salts: {},
  }));
  await record(db, project, [JSON.stringify({ entities })]);
  if (wanted.hasAliases)
    await db.query(
      `insert into provenance.content_alias (project_id, alias, cid)
       values ($1, 'alias of c1', 'c1'), ($1, 'alias of "c6"', 'c6')`,
      [project],
    );
  const items = wanted.actions.map((wish, place) => toItem(wish, place, wanted.hasAliases));
  const given = items.flatMap((one) => one.items.map((item) => JSON.stringify(item)));
  if (given.length > 0) await record(db, project, given);
  const erased = items.filter((_, place) => wanted.actions[place]?.isErased).map(({ id }) => id);
  const erasure = JSON.stringify({ at: '2026-01-01T00:00:00.000Z', fields: ['/note'] });
  for (const [table, name] of [
    ['action', 'id'],
    ['attribution', 'action_id'],
  ] as const)
    await db.query(
      `update provenance.${table} set erasure = $3::jsonb where project_id = $1 and ${name} = any($2::uuid[])`,
      [project, erased, erasure],
    );
  if (wanted.erasesAnn)
    await db.query(
      `update provenance.entity set erasure = '{"at": "now", "fields": ["/name"]}' where project_id = $1 and id = 'ann'`,
      [project],
    );
  for (const one of wanted.resources) await dress(db, project, one);
  for (const place of wanted.events)
    await db.query(
      `insert into provenance.ownership_event (project_id, action_id, cid, kind, leaf_index)
       select project_id, id, 'c5', 'claim', leaf_index from provenance.action where project_id = $1 and id = $2
         and provenance.knows($1, 'c5')`,
      [project, items[place]?.id ?? null],
    );
  for (const anchor of wanted.anchors) await addAnchor(db, project, anchor);
  return project;
}

async function dress(db: Queryable, project: string, wanted: World['resources'][number]): Promise<void> {
  const { cid, hasBytes, mimeType, owner, extensions, pins, pinned } = wanted;
  await db.query(
    `update provenance.resource set content_digest = case when $3::boolean then '\\x00'::bytea end,
       size_bytes = case when $3::boolean then 12345678901 end, mime_type = $4, owner_id = $5, extensions = $6::jsonb,
       has_pins = cardinality($7::text[]) > 0
     where project_id = $1 and cid = $2`,
    [
      project,
      cid,
      hasBytes,
      mimeType ?? null,
      owner ?? null,
      extensions ? JSON.stringify(extensions) : null,
      pins,
    ],
  );
  await db.query(
    `insert into provenance.pin (project_id, cid, provider, job_id, uri, pinned_at)
     select $1, $2, p, gen_random_uuid(), case when $4::boolean then 'ipfs://x' end, case when $4::boolean then now() end
     from unnest($3::text[]) p`,
    [project, cid, pins, pinned],
  );
}

async function addAnchor(db: Queryable, project: string, anchor: World['anchors'][number]): Promise<void> {
  const id = randomUUID();
  await db.query(
    `insert into provenance.anchor (id, root, state, chain_id, chain_name, contract, tx_hash, block_number, log_index)
     values ($1, '\\x00', $2, 1, 'chain', '0x0', '0xa', $3, 0)`,
    [id, ['pending', 'submitted', 'final'][anchor.state], anchor.state === 2 ? 7 : null],
  );
  await db.query(
    `insert into provenance.anchor_head (project_id, size, anchor_id, origin, path)
     values ($1, $2, $3, 'o', case when $4::boolean then '[]'::jsonb end) on conflict do nothing`,
    [project, anchor.size, id, anchor.isRoot],
  );
}

const toTextIfAny = (json: JsonText | undefined) => json && toText(json);

async function textOf(db: Queryable, text: string, parameters: unknown[]): Promise<string | undefined> {
  const [row] = await db.query<{ text: string | null }>(text, parameters);
  return row?.text ?? undefined;
}

const MAX_RECORDS = 10_000;

/**
 * Returns the number of steps from the requested content to each action. It is infinite for an action that is only a
 * claim or a transfer.
 */
function toDistances(text: string | undefined, { direction }: BundleQuery): Map<string, number> {
  const { cid, actions, aliases = {} } = JSON.parse(text ?? '{"actions": []}') as Bundle;
  const distances = new Map(actions.map(({ id }) => [id, Number.POSITIVE_INFINITY]));
  const ways = direction === 'both' ? ['ancestors', 'descendants'] : [direction];
  for (const way of ways) {
    const [made, next] =
      way === 'ancestors' ? (['outputCids', 'inputCids'] as const) : (['inputCids', 'outputCids'] as const);
    const nameOf = (used: string) => aliases[used] ?? used;
    let frontier = new Set([cid]);
    const seen = new Set<string>();
    for (let level = 1; frontier.size > 0; level++) {
      const found = actions.filter(
        ({ id, [made]: cids }) => !seen.has(id) && cids.some((one) => frontier.has(nameOf(one))),
      );
      for (const { id } of found) {
        seen.add(id);
        distances.set(id, Math.min(level, distances.get(id) ?? level));
      }
      frontier = new Set(found.flatMap(({ [next]: cids }) => cids.map(nameOf)));
    }
  }
  return distances;
}

/** A truncated answer may contain other actions of the same distance. */
function expectSame(
  text: string | undefined,
  made: string | undefined,
  distances: Map<string, number>,
): void {
  const [one, other] = [text, made].map((json) => JSON.parse(json ?? '{"actions": []}') as Bundle);
  const idsOf = (bundle: Bundle | undefined) => bundle?.actions.map(({ id }) => id) ?? [];
  const farOf = (bundle: Bundle | undefined) =>
    idsOf(bundle)
      .map((id) => distances.get(id))
      .sort();
  const isCut = made?.includes('"truncatedAt"') && idsOf(one).join() !== idsOf(other).join();
  if (isCut) expect([one?.truncatedAt, farOf(one)]).toEqual([other?.truncatedAt, farOf(other)]);
  else expect(text).toBe(made);
}

const IN_STEPS = { whole: { limit: 0, maxBytes: 0 }, stepItems: 2 };

describe.each(['PGlite', 'PostgreSQL'])('histories read whole and in steps, on %s', (engine) => {
  let databases: Databases;
  beforeAll(async () => {
    databases = await openOn(engine);
    await installHistoryOracle(databases.provenance);
  }, 60_000);
  afterAll(() => databases.close());

  it('match the SQL functions that read a history in one statement, except for truncated histories', async () => {
    const db = databases.provenance;
    const deps = { reads: db, bundles: createBundleRows(db), scheduler: openScheduler() };
    const seen = new Map(MARKS.map((mark) => [mark, 0]));
    const compare = async (project: string, one: BundleQuery) => {
      const { cid, direction, depth, limit } = one;
      const parameters = [project, cid, direction, depth ?? null, limit, MAX_ANSWER_BYTES];
      const made = await textOf(
        db,
        'select provenance.oracle_bundle($1, $2, $3, $4, $5, $6) as text',
        parameters,
      );
      const whole = toTextIfAny(await readBundleText(deps, project, { ...one, limit: MAX_RECORDS }));
      for (const way of [{}, IN_STEPS])
        expectSame(
          toTextIfAny(await readBundleText(deps, project, { ...one, ...way })),
          made,
          toDistances(whole, one),
        );
      for (const mark of MARKS) if (made?.includes(mark)) seen.set(mark, (seen.get(mark) ?? 0) + 1);
    };
    const compareSession = async (project: string, sessionId: string) => {
      const parameters = [project, sessionId, 3, MAX_ANSWER_BYTES];
      const made = await textOf(db, 'select provenance.oracle_session($1, $2, $3, $4) as text', parameters);
      expect(toText((await readSession(deps, project, { sessionId, limit: 3 })).text)).toBe(made);
      const inSteps = await readSession(deps, project, { sessionId, limit: 3, ...IN_STEPS });
      expect(toText(inSteps.text)).toBe(made);
    };
    await fc.assert(
      fc.asyncProperty(world, someTerms, async (wanted, asked) => {
        const project = await build(db, wanted);
        // Requests at the same time share statements.
        await Promise.all(asked.map((one) => compare(project, one)));
        for (const sessionId of ['s', 'none']) await compareSession(project, sessionId);
      }),
      { numRuns: RUNS, seed: SEED },
    );
    expect(Math.min(...seen.values()), JSON.stringify([...seen])).toBeGreaterThan(RUNS / 10);
  }, 600_000);
});
