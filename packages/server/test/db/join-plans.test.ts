import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import type { Queryable } from '../../src/platform/db/database.js';
import { openDatabases } from '../../src/platform/db/open-databases.js';
import {
  countMarks,
  countUnmarkedActions,
  countUnmarkedManifests,
  listMarks,
  readSizeBefore,
} from '../../src/records/compliance/marks.sql.js';
import { hasBinding, listBoundAnywhere } from '../../src/records/matching/image-marks.sql.js';
import { readBound } from '../../src/records/matching/soft-bindings.sql.js';
import { readEvent, readOwnership } from '../../src/records/read/ownership.sql.js';
import { filterStored } from '../../src/records/read/stored-contents.sql.js';
import { listEventActions } from '../../src/webhooks/feeds.sql.js';
import { createMigratedDatabase } from '../support/postgres.js';

const PROJECT = '01a20168-21fc-71bd-be7b-a2bb5c39a7ee';
const [FEW, MANY] = [500, 20_000];

/**
 * For the first 100 actions, the ownership claim is to `out1`. All outputs from `out100` on share one soft binding.
 * Each action uses one of the last 100 outputs.
 */
const toFill = (from: number, to: number) => `
  insert into provenance.action (project_id, id, type, performed_by, inputs, outputs, body, digest, salts, fingerprint,
    recorded_at, leaf_index)
  select '${PROJECT}', md5('action' || n)::uuid, 'create', 'ann', '{}', array['out' || n],
    jsonb_build_object('text', repeat('x', 500), 'extensions', jsonb_build_object(
      case when n % 2 = 0 then 'ext:mark@1.0.0' else 'ext:ai@1.0.0' end, jsonb_build_object('aiDisclosure', 'ai_generated'))),
    '', '{}', '', now() + n * interval '1 second', n
  from generate_series(${from}, ${to}) n;
  insert into provenance.action_input
  select '${PROJECT}', 'out' || (${MANY} - n % 100), md5('action' || n)::uuid from generate_series(${from}, ${to}) n;
  insert into provenance.log_leaf
  select '${PROJECT}', n, 'action', md5('action' || n), '' from generate_series(${from}, ${to}) n;
  insert into provenance.attribution (project_id, id, entity_id, action_id, role, body, digest, salts, created_at,
    leaf_index)
  select '${PROJECT}', md5('attribution' || n)::uuid, 'ann', md5('action' || n)::uuid, 'creator', '{}', '', '{}',
    now() + n * interval '1 second', n
  from generate_series(${from}, ${to}) n;
  insert into provenance.resource (project_id, cid, type, content_digest, size_bytes, root_action, created_at,
    extensions)
  select '${PROJECT}', 'out' || n, 'text', sha256(n::text::bytea), 5, md5('action' || n)::uuid,
    now() + n * interval '1 second', '{"ext:c2pa@1.0.0": {"aiDisclosure": "ai_generated"}}'
  from generate_series(${from}, ${to}) n;
  insert into provenance.soft_binding
  select '${PROJECT}', sha256(least(n, 100)::text::bytea), 'out' || n from generate_series(${from}, ${to}) n;
  insert into provenance.ownership_event (project_id, action_id, cid, kind, leaf_index)
  select '${PROJECT}', md5('action' || n)::uuid, case when n <= 100 then 'out1' else 'out' || n end, 'claim', n
  from generate_series(${from}, ${to}) n`;

const digestOf = (n: number) => `encode(sha256('${n}'), 'hex')`;
const names = Array.from({ length: 100 }, (_, place) => `out${place * 3}`);

const END = { at: '2200-01-01T00:00:00Z', id: '00000000-0000-0000-0000-000000000000' };
const WALK = { from: '2000-01-01T00:00:00Z', after: END, limit: 100 };

/** Maximum number of database pages: a few for each row that the statement returns or looks up. */
const READS: [string, number, (db: Queryable) => Promise<unknown>][] = [
  ['the attribution of an action', 1_000, (db) => readEvent(db, PROJECT, '$(action 7)')],
  ['the owner of content with 100 claims', 1_200, (db) => readOwnership(db, PROJECT, { cid: 'out1' })],
  [
    'the actions among 100 leaves',
    1_000,
    (db) => listEventActions(db, PROJECT, { from: 300, to: 400, maxCids: 10 }),
  ],
  ['which of 100 contents are stored', 1_000, (db) => filterStored(db, PROJECT, names)],
  ['the only content with a soft binding', 20, (db) => readBound(db, PROJECT, '$(binding 7)')],
  ['content of all projects that a watermark points to', 20, (db) => listBoundAnywhere(db, '$(binding 7)')],
  ['whether a payload is unused', 20, (db) => hasBinding(db, '$(binding 7)')],
  [
    '100 contents, of which the marked ones are counted',
    2_500,
    (db) => countMarks(db, PROJECT, { ...WALK, rules: [] }),
  ],
  ['the newest marked contents', 2_500, (db) => listMarks(db, PROJECT, { ...WALK, rules: [] })],
  [
    'a count of 100 unmarked actions with AI, of which some have an output that many actions use',
    20_000,
    (db) => countUnmarkedActions(db, PROJECT, WALK),
  ],
  [
    '100 contents that many actions use and whose manifests state AI, of which the unmarked ones are counted',
    20_000,
    (db) => countUnmarkedManifests(db, PROJECT, WALK),
  ],
  ['leaves before an instant', 50, (db) => readSizeBefore(db, PROJECT, '2200-01-01T00:00:00Z')],
  [
    'content with a soft binding that most contents have',
    8_000,
    (db) => readBound(db, PROJECT, '$(binding 100)'),
  ],
];

describe.each([
  ['with statistics', true],
  ['without statistics', false],
])('a statement with a plan for few rows, %s', (_, isAnalyzed) => {
  let client: pg.Client;
  beforeEach(async () => {
    const url = await createMigratedDatabase(inject('postgresUrl'));
    await (await openDatabases({ kind: 'postgresql', url, directUrl: undefined })).close();
    client = new pg.Client({ connectionString: url });
    await client.connect();
    // New statistics of a table would make PostgreSQL plan the statement again.
    const { rows: tables } = await client.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c
       where c.relnamespace = 'provenance'::regnamespace and c.relkind = 'r'`,
    );
    for (const { name } of tables) await client.query(`alter table ${name} set (autovacuum_enabled = false)`);
    await client.query(`set plan_cache_mode = force_generic_plan; set jit = off; ${toFill(1, FEW)}`);
    if (isAnalyzed) await client.query('analyze');
  }, 60_000);
  afterEach(() => client.end());

  /** Counts the pages that each run of a prepared statement reads. */
  const asking = (pages: Map<string, number>, name: string): Queryable => ({
    async query<Row>(text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
      const isNew = !pages.has(name);
      if (isNew) await client.query(`prepare "${name}" as ${text}`);
      const values = parameters.map(toLiteral).join();
      const { rows } = await client.query(
        `explain (analyze, buffers, format json) execute "${name}"(${values})`,
      );
      const { Plan: plan } = rows[0]['QUERY PLAN'][0];
      pages.set(name, plan['Shared Hit Blocks'] + plan['Shared Read Blocks']);
      return [];
    },
  });

  it('reads at most its maximum number of pages when the tables have many rows', async () => {
    const pages = new Map<string, number>();
    const askAll = async () => {
      for (const [name, , read] of READS) await read(asking(pages, name));
    };
    await askAll();
    await client.query(toFill(FEW + 1, MANY));
    await askAll();
    // Other sessions can invalidate cached catalogs, so the smaller number of two runs counts.
    const first = new Map(pages);
    await askAll();
    const most = Number.POSITIVE_INFINITY;
    const countOf = (name: string) => Math.min(first.get(name) ?? most, pages.get(name) ?? most);
    const tooMany = READS.filter(([name, allowed]) => countOf(name) > allowed);
    expect(tooMany.map(([name]) => [name, pages.get(name)])).toEqual([]);
  });
});

function toLiteral(value: unknown): string {
  if (Array.isArray(value)) return `array[${value.map(toLiteral)}]`;
  const [, kind, n] = /^\$\((\w+) (\d+)\)$/.exec(String(value)) ?? [];
  if (kind === 'action') return `md5('action${n}')::uuid`;
  return kind === 'binding' ? digestOf(Number(n)) : pg.escapeLiteral(String(value));
}
