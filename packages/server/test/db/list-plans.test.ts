import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { listApiKeys } from '../../src/control/api-keys.sql.js';
import { type EdgeDirection, listChecked, listEdges } from '../../src/integrity/integrity.sql.js';
import {
  listLivePublications,
  listOpenContents,
  listPublicationsOfCids,
} from '../../src/management/live-publications.sql.js';
import { listMemberRows } from '../../src/management/members.sql.js';
import { listOrgsOf } from '../../src/management/orgs.sql.js';
import { listProjectRows } from '../../src/management/projects.sql.js';
import { readUsageTotals } from '../../src/management/usage.sql.js';
import type { Queryable } from '../../src/platform/db/database.js';
import { openDatabases } from '../../src/platform/db/open-databases.js';
import { MAX_MADE_CONTENTS, readMakers } from '../../src/records/read/content-makers.sql.js';
import type { Position } from '../../src/records/read/cursor.js';
import type { ListName } from '../../src/records/read/list-sources.sql.js';
import { chooseDriver, readListStep } from '../../src/records/read/lists.sql.js';
import { readAttributionsOfContent } from '../../src/records/read/long-histories.sql.js';
import { listErasable } from '../../src/records/write/erasure.sql.js';
import {
  COUNT,
  FILES,
  FILL,
  FILL_CONTROL,
  FIRST_PROJECT,
  LIBRARY,
  PAIRS,
  PROJECT,
  PUBLISHERS,
} from '../support/list-rows.js';
import { countBlocksOf, countRowsOf } from '../support/plan-counts.js';
import { createMigratedDatabase } from '../support/postgres.js';

/** The complete table has ten thousand blocks. */
const FEW_BLOCKS = 1_000;

let client: pg.Client;
beforeAll(async () => {
  const url = await createMigratedDatabase(inject('postgresUrl'));
  await (await openDatabases({ kind: 'postgresql', url, directUrl: undefined })).close();
  client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(FILL);
  await client.query(FILL_CONTROL);
  await client.query('set plan_cache_mode = force_generic_plan; set jit = off');
}, 60_000);
afterAll(() => client.end());

const plain = {
  async query<Row>(text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return (await client.query(text, [...parameters])).rows;
  },
};

const countBlocks = (counts: number[]) => countBlocksOf(client, counts);
const countRows = (table: string, counts: number[]) => countRowsOf(client, table, counts);

interface Listed {
  filters: Record<string, string>;
  after?: Position | undefined;
  offset?: number;
}

/** One statement chooses an index, and one reads the list. */
async function countStep(
  projectId: string,
  name: ListName,
  { filters, after, offset = 0 }: Listed,
): Promise<number[]> {
  const counts: number[] = [];
  const db = countBlocks(counts);
  const part = { name, filters, after };
  const driver = await chooseDriver(
    {
      async query(text, parameters) {
        await db.query(text, parameters);
        return plain.query(text, parameters);
      },
    },
    projectId,
    part,
  );
  await readListStep(db, projectId, { ...part, driver, offset, limit: 51, bytes: 2 ** 20, takesFirst: true });
  return counts;
}

const middle = { at: new Date().toISOString(), id: PROJECT };

it.each([
  ['all', {}, undefined, 0],
  ['a type that one action has', { type: 'rare' }, undefined, 0],
  ['a type that all other actions have', { type: 'usual' }, undefined, 0],
  ['the performer of all actions', { performedBy: 'ann' }, undefined, 0],
  ['the records after a cursor', { type: 'usual' }, middle, 0],
  ['the records after an offset', {}, undefined, 300],
])('a list of actions reads few blocks: %s', async (_, filters, after, offset) => {
  const counts = await countStep(PROJECT, 'actions', { filters, after, offset });
  expect(counts).toHaveLength(1);
  expect(counts[0]).toBeLessThan(FEW_BLOCKS);
});

it.each([
  ['all', {}, undefined],
  ['a type that one content has', { type: 'rare' }, undefined],
  ['a type that all other contents have', { type: 'usual' }, undefined],
  ['the creator of one content', { creator: 'bob' }, undefined],
  ['the creator of all other contents', { creator: 'ann' }, undefined],
  ['two contents by their ids', { cids: 'content7 content8' }, undefined],
  ['the records after a cursor', { type: 'usual' }, { at: new Date().toISOString(), id: 'content9' }],
])('a list of content reads few blocks: %s', async (_, filters, after) => {
  const counts = await countStep(PROJECT, 'resources', { filters, after });
  expect(counts[0]).toBeLessThan(FEW_BLOCKS);
});

it.each<[ListName, Record<string, string>]>([
  ['actions', { type: 'type 0', performedBy: 'performer 1' }],
  ['actions', { type: 'type 0', sessionId: 'session 1' }],
  ['actions', { type: 'type 0', performedBy: 'performer 0', sessionId: 'session 1' }],
  ['resources', { type: 'type 0', creator: 'performer 1' }],
  ['entities', { role: 'role 0', name: 'name 1' }],
  ['attributions', { role: 'ext:none' }],
  ['attributions', { entityId: 'entity0', role: 'ext:none' }],
  ['attributions', { actionId: PROJECT }],
])(
  'a step of a list reads few blocks although no record matches all its filters: %s %j',
  async (name, filters) => {
    const later = { at: new Date(Date.now() + (COUNT / 2) * 1_000).toISOString(), id: PROJECT };
    for (const after of [undefined, later])
      for (const count of await countStep(PAIRS, name, { filters, after }))
        expect(count).toBeLessThan(FEW_BLOCKS);
  },
);

it.each<[string, Record<string, string>]>([
  ['a tool of few contents', { tool: 'rare tool' }],
  ['a tool of many contents', { tool: 'usual tool' }],
  ['a level of few contents', { ai: '2' }],
  ['a level of many contents', { ai: '3' }],
  ['no level', { withoutAi: '0' }],
  ['a level and a tool that no content has together', { ai: '2', tool: 'usual tool' }],
  ['a media type of one content', { mimeType: 'audio/wav' }],
  ['a family of media types of one content', { mimeFamily: 'audio/' }],
  ['a word of one title', { titleWord0: 'n77777' }],
  ['a word of all titles', { titleWord0: 'photo' }],
  ['a word of all titles and a level of few contents', { titleWord0: 'photo', ai: '2' }],
  ['a word of no title', { titleWord0: 'none' }],
  ['a further maker of few contents', { maker: 'cy' }],
  ['a further maker of few contents, and a frequent level', { maker: 'cy', ai: '3' }],
  ['a further maker of many contents, and a rare tool', { maker: 'bo', tool: 'rare tool' }],
])('a step of the library among 100,000 contents reads few blocks: %s', async (_, filters) => {
  const later = { at: new Date(Date.now() + (FILES / 2) * 1_000).toISOString(), id: PROJECT };
  for (const after of [undefined, later])
    for (const count of await countStep(LIBRARY, 'resources', { filters, after }))
      expect(count).toBeLessThan(FEW_BLOCKS);
});

it.each<Record<string, string>>([
  { titleWord0: 'hundred77' },
  { titleWord0: 'photo', titleWord1: 'hundred77' },
  { titleWord0: 'hundred7', type: 'image', ai: '3', tool: 'usual tool' },
  { titleWord0: 'photo', titleWord1: 'none', titleWord2: 'n', titleWord3: 'hundred', titleWord4: 'photo' },
  { maker: 'ann' },
  { maker: 'bo' },
  { maker: 'bo', mimeType: 'audio/wav' },
  { maker: 'bo', type: 'none' },
  { maker: 'ann', ai: '3', mimeType: 'audio/wav' },
])(
  'a step of the library with several conditions reads the index entries of at most 1,000 contents: %j',
  async (filters) => {
    for (const count of await countStep(LIBRARY, 'resources', { filters }))
      expect(count).toBeLessThan(8 * FEW_BLOCKS);
  },
);

it('a list of the attributions of one entity in an action reads only a part of the attributions', async () => {
  const filters = { entityId: 'entity0', actionId: PAIRS };
  const [choice, step] = await countStep(PAIRS, 'attributions', { filters });
  // The choice of an index counts 5,000 attributions, which are spread over the table.
  expect(choice).toBeLessThan(6 * FEW_BLOCKS);
  expect(step).toBeLessThan(FEW_BLOCKS);
});

it.each<ListName>(['actions', 'resources', 'entities', 'attributions'])(
  'a step of a list reads few blocks although its offset skips many records: %s',
  async (name) => {
    const [count] = await countStep(PAIRS, name, { filters: {}, offset: 15_000 });
    expect(count).toBeLessThan(FEW_BLOCKS);
  },
);

it('a list reads the index of the filter that fewer records match', async () => {
  const filters = { type: 'rare', performedBy: 'ann' };
  const driverOf = (names: Record<string, string>) =>
    chooseDriver(plain, PROJECT, { name: 'actions', filters: names, after: undefined });
  expect(await driverOf(filters)).toBe('type');
  expect(await driverOf({ type: 'usual', performedBy: 'bob' })).toBe('performedBy');
  expect(await driverOf({ performedBy: 'ann' })).toBe('performedBy');
});

it.each<[string, EdgeDirection, string]>([
  ['content that all actions used', 'in', 'popular'],
  ['content that one action made', 'out', 'out5'],
])('the integrity check reads few blocks for 100 inputs or outputs of actions: %s', async (_, way, cid) => {
  const counts: number[] = [];
  for (const after of [undefined, { cid, actionId: '80000000-0000-0000-0000-000000000000' }])
    await listEdges(countBlocks(counts), PROJECT, { way, after, size: 0, limit: 100 });
  for (const count of counts) expect(count).toBeLessThan(FEW_BLOCKS);
});

it('the integrity check reads few blocks for a part of the actions', async () => {
  const counts: number[] = [];
  for (const after of [undefined, '80000000-0000-0000-0000-000000000000'])
    await listChecked(countBlocks(counts), PROJECT, { kind: 'action', after, size: 0, limit: 100 });
  for (const count of counts) expect(count).toBeLessThan(FEW_BLOCKS);
});

it.each([
  ['first', undefined],
  ['after a cursor', { ...middle, at: new Date(Date.now() + ((3 * COUNT) / 4) * 1_000).toISOString() }],
])('a list of the attributions of one content reads few blocks: %s', async (_, after) => {
  const counts = await countStep(PROJECT, 'attributions', { filters: { resourceCid: 'popular' }, after });
  expect(counts[0]).toBeLessThan(FEW_BLOCKS / 4);
});

it.each([
  ['first', undefined],
  ['last', { at: Date.now() * 1_000 + 500_000_000, id: PROJECT }],
])('a history reads few blocks for a part of the attributions of one content: the %s', async (_, last) => {
  const counts: number[] = [];
  const key = { entityId: 'ann', actionId: null, cid: 'popular', role: 'role', bytes: 0 };
  const positions = [{ id: 'popular', last: last && { ...key, ...last } }];
  await readAttributionsOfContent(countBlocks(counts), PROJECT, { positions, limit: 100 });
  expect(counts[0]).toBeLessThan(FEW_BLOCKS / 4);
});

it.each(['entity', 'action', 'attribution'] as const)(
  'a step of an erasure reads few blocks, even if many records are erased already: %s',
  async (kind) => {
    const counts: number[] = [];
    for (const after of [undefined, { ...middle, at: new Date(Date.now() + 9_000_000).toISOString() }])
      await listErasable(countBlocks(counts), PROJECT, { kind, entityId: 'ann', after });
    expect(counts).toHaveLength(2);
    for (const count of counts) expect(count).toBeLessThan(FEW_BLOCKS);
  },
);

it.each([
  ['organisations of a user', 'member', 6_000, (db: Queryable) => listOrgsOf(db, 'ann')],
  ['organisations with many members', 'member', 2, (db: Queryable) => listOrgsOf(db, 'user1')],
  ['members', 'member', 1_000, (db: Queryable) => listMemberRows(db, PROJECT)],
  ['projects', 'project', 1_000, (db: Queryable) => listProjectRows(db, PROJECT)],
  ['keys', 'api_key', 1_000, (db: Queryable) => listApiKeys(db, FIRST_PROJECT)],
])('a list of %s reads a limited number of rows', async (_, table, most, list) => {
  const counts: number[] = [];
  await list(countRows(table, counts));
  expect(counts).toHaveLength(1);
  expect(counts[0]).toBeGreaterThan(0);
  expect(counts[0]).toBeLessThanOrEqual(most);
});

const contents = PUBLISHERS.map((projectId) => ({ projectId, cid: 'published' }));

it.each([
  ['of a content', 2, (db: Queryable) => listPublicationsOfCids(db, ['published', 'none'])],
  ['of contents in projects', 2, (db: Queryable) => listLivePublications(db, contents)],
  ['without withheld parts', 1, (db: Queryable) => listOpenContents(db, contents, 10)],
])(
  'the detector reads one publication of a content per project, even if there are 20,000: %s',
  async (_, shown, list) => {
    const counts: number[] = [];
    const blocks: number[] = [];
    await list(countRows('publication', counts));
    await list(countBlocks(blocks));
    // The plan rounds the mean number of rows, so the count is not exact.
    expect(counts[0]).toBeGreaterThan(0);
    expect(counts[0]).toBeLessThanOrEqual(2 * PUBLISHERS.length);
    expect(blocks[0]).toBeLessThan(100);
    expect(await list(plain)).toHaveLength(shown);
  },
);

it('the detector reads about 1,000 publications of a content that many more projects have published', async () => {
  const counts: number[] = [];
  await listPublicationsOfCids(countRows('publication', counts), ['widespread', 'published']);
  expect(counts[0]).toBeGreaterThan(900);
  expect(counts[0]).toBeLessThanOrEqual(1_100);
});

it.each(['action_recorded', 'action_type', 'attribution_created', 'resource_created'])(
  'an index that is sorted by time has more than 90 entries per page: %s',
  async (index) => {
    const { rows } = await client.query(
      `select reltuples / relpages as entries from pg_class where oid = 'provenance.${index}'::regclass`,
    );
    expect(rows[0].entries).toBeGreaterThan(90);
  },
);

it('the totals of a project read one row for each month, and no row of a day', async () => {
  const counts: number[] = [];
  for (const table of ['usage_day', 'usage_month'])
    await readUsageTotals(countRows(table, counts), PROJECT, new Date());
  expect(counts).toEqual([0, 1]);
});

it('the makers of a page are read from at most 8 actions of each content', async () => {
  const cids = Array.from({ length: MAX_MADE_CONTENTS }, (_, n) => `made${n}`);
  await client.query(
    `insert into provenance.resource (project_id, cid, type, created_by, root_action, created_at)
     select '${PROJECT}', 'made' || c, 'image', 'ann', md5('action1')::uuid, now() from generate_series(0, 49) c;
     insert into provenance.action_output select '${PROJECT}', 'made' || c, md5('action' || n)::uuid
     from generate_series(0, 49) c, generate_series(1, case when c < 25 then 1 when c < 49 then 8 else 2000 end) n;
     insert into provenance.content_maker select '${PROJECT}', 'made' || c, 'bob', now() from generate_series(15, 49) c;
     analyze provenance.content_maker`,
  );
  const counts: number[] = [];
  for (const table of ['action', 'action_output', 'content_maker'])
    await readMakers(countRows(table, counts), PROJECT, cids);
  const [actions, outputs = 0, makers] = counts;
  expect(actions).toBe(10 + 24 * 8);
  // The plan rounds the mean number of rows, so the count is not exact.
  expect(Math.abs(outputs - (10 + 24 * 8 + 9))).toBeLessThan(50);
  expect(makers).toBeLessThanOrEqual(MAX_MADE_CONTENTS);
});
