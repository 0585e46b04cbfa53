import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listPublicationRows } from '../../src/management/publications.sql.js';
import type { Database, Queryable } from '../../src/platform/db/database.js';
import type { Databases } from '../../src/platform/db/open-databases.js';
import { hasBinding, listBoundAnywhere } from '../../src/records/matching/image-marks.sql.js';
import { readLabelledCid } from '../../src/records/matching/soft-bindings.sql.js';
import { openOn } from '../support/open-on.js';
import { countBlocksOf } from '../support/plan-counts.js';

const PROJECT = '01a20168-21fc-71bd-be7b-a2bb5c39a7ee';
const ROWS = 20_000;

/** Almost all rows have the same values. Statistics miss the values of the others. */
const FILL_RECORDS = `
  insert into provenance.resource (project_id, cid, type, content_digest, size_bytes, root_action, created_at, extensions)
  select '${PROJECT}', 'out' || n, 'text', sha256(n::text::bytea), 5, md5('action' || n)::uuid,
    now() + n * interval '1 second', jsonb_build_object('ext:c2pa@1.0.0', jsonb_build_object('manifestLabel',
      case n when ${ROWS} then 'newest' else 'usual' end, 'text', repeat('x', 500)))
  from generate_series(1, ${ROWS}) n;
  insert into provenance.soft_binding
  select '${PROJECT}', sha256(case n when ${ROWS} then 'rare' else 'usual' end::bytea), 'out' || n
  from generate_series(1, ${ROWS}) n;
  analyze`;

const FILL_CONTROL = `
  insert into control.org (id, slug, name) values ('${PROJECT}', 'org', 'Org');
  insert into control.project (id, org_id, slug, name) values ('${PROJECT}', '${PROJECT}', 'project', 'P');
  insert into control.publication (project_id, id, cid, withhold, hidden_entities, pseudonym_key, created_at)
  select '${PROJECT}', 'id' || n, case n when 1 then 'oldest' when 2 then 'oldest' else 'usual' end, '[]',
    jsonb_build_array(repeat('x', 300)), 'key', now() + n * interval '1 second'
  from generate_series(1, ${ROWS}) n;
  analyze`;

const USUAL = createHash('sha256').update('usual').digest('hex');

const RECORDS: [string, number, (db: Queryable) => Promise<unknown>][] = [
  ['the newest content of a label', 20, (db) => readLabelledCid(db, PROJECT, 'newest')],
  ['one of the contents with a label', 3_000, (db) => readLabelledCid(db, PROJECT, 'usual')],
  ['the content of an unused label', 20, (db) => readLabelledCid(db, PROJECT, 'none')],
  ['the look-up of a binding that no content has', 20, (db) => hasBinding(db, 'ff')],
  ['the look-up of a binding that many contents have', 20, (db) => hasBinding(db, USUAL)],
  ['the contents of an unused binding', 20, (db) => listBoundAnywhere(db, 'ff')],
];

const page = (query: { cid?: string; cursor?: string }) => (db: Queryable) =>
  listPublicationRows(db, PROJECT, { ...query, limit: 51 });
const PUBLICATIONS: [string, number, (db: Queryable) => Promise<unknown>][] = [
  ['the newest publications', 800, page({})],
  ['the publications after a cursor', 800, page({ cursor: 'id1000' })],
  ['the oldest publications, of one content', 100, page({ cid: 'oldest' })],
  ['publications of a content that has many', 800, page({ cid: 'usual' })],
  ['publications of a content that has many, after a cursor', 800, page({ cid: 'usual', cursor: 'id1000' })],
  ['publications of a content that has none', 20, page({ cid: 'none' })],
];

describe.each(['PGlite in memory', 'PostgreSQL'])('among 20,000 rows with few values, on %s', (engine) => {
  let databases: Databases;
  beforeAll(async () => {
    databases = await openOn(engine);
    await run(databases.provenance, FILL_RECORDS);
    await run(databases.control, FILL_CONTROL);
  }, 60_000);
  afterAll(() => databases.close());

  it.each(RECORDS)('a read of records reads few blocks: %s', async (_, most, read) => {
    expect(await countBlocks(databases.provenance, read)).toBeLessThan(most);
  });

  it.each(PUBLICATIONS)('a page of publications reads few blocks: %s', async (_, most, read) => {
    expect(await countBlocks(databases.control, read)).toBeLessThan(most);
  });

  it.each([
    ['all', { cid: 'oldest' }, ['id2', 'id1'], 2],
    ['the last one', { cid: 'oldest', cursor: 'id2' }, ['id1'], 1],
    ['none', { cid: 'oldest', cursor: 'id1' }, [], undefined],
    ['none after an unknown cursor', { cursor: 'none' }, [], undefined],
  ])('a page of publications ends with the last one: %s', async (_, query, ids, found) => {
    const rows = await listPublicationRows(databases.control, PROJECT, { ...query, limit: 51 });
    expect(rows.map(({ id }) => id)).toEqual(ids);
    expect(rows[0]?.found).toBe(found);
  });
});

const run = (database: Database, statements: string) =>
  database.transaction(async (tx) => {
    for (const statement of statements.split(';')) await tx.query(statement);
  });

async function countBlocks(database: Database, read: (db: Queryable) => Promise<unknown>): Promise<number> {
  const counts: number[] = [];
  await database.transaction(async (tx) => {
    await tx.query('set local plan_cache_mode = force_generic_plan');
    await read(countBlocksOf({ query: async (text) => ({ rows: await tx.query(text) }) }, counts));
  });
  expect(counts).toHaveLength(1);
  return counts[0] ?? Number.NaN;
}
