import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Queryable } from '../../src/platform/db/database.js';
import { openDatabases } from '../../src/platform/db/open-databases.js';
import { claimJobs } from '../../src/platform/jobs/outbox.sql.js';
import { createDatabase } from '../support/postgres.js';

const FLOODING = '00000000-0000-8000-8000-000000000001';
const OTHER = '00000000-0000-8000-8000-000000000002';
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';
const [FEW, MANY] = [500, 20_000];
/** The jobs of the flooding project fill more than 300 pages. */
const MAX_PAGES = 100;

/** These jobs are older than the job of the other project. */
const toFill = (from: number, to: number) => `
  insert into provenance.outbox (project_id, id, kind, payload, due_at)
  select '${FLOODING}', gen_random_uuid(), 'sent', '{"lane": "slow"}', now() - n * interval '1 second'
  from generate_series(${from}, ${to}) n`;
const OTHER_JOB = `
  insert into provenance.outbox (project_id, id, kind, payload, due_at)
  values ('${OTHER}', gen_random_uuid(), 'sent', '{"lane": "quick"}', now() - interval '1 second')`;

const ONE = { limit: 1, leaseSeconds: 60, after: BEFORE_ALL };
const LANES = { member: 'lane', busy: ['slow'], depth: 1_000 };

/** Maximum number of pages, and the project of the claimed job. */
const CLAIMS: [string, number, string, (db: Queryable) => Promise<unknown>][] = [
  [
    'it already runs its maximum of jobs',
    MAX_PAGES,
    OTHER,
    (db) => claimJobs(db, ['marked', 'sent'], { ...ONE, exceptProjects: [FLOODING] }),
  ],
  [
    'it may run another job',
    MAX_PAGES,
    FLOODING,
    (db) => claimJobs(db, ['marked', 'sent'], { ...ONE, exceptProjects: [] }),
  ],
  [
    'all of them must wait for the end of a running job',
    MAX_PAGES,
    OTHER,
    (db) => claimJobs(db, ['marked', 'sent'], { ...ONE, exceptProjects: [], lanes: LANES }),
  ],
];

describe.each([
  ['with statistics', true],
  ['without statistics', false],
])('a claim that PostgreSQL planned while there were few jobs, %s', (_, isAnalyzed) => {
  let client: pg.Client;
  beforeAll(async () => {
    const url = await createDatabase(inject('postgresUrl'));
    await (await openDatabases({ kind: 'postgresql', url, directUrl: undefined })).close();
    client = new pg.Client({ connectionString: url });
    await client.connect();
    // New statistics of a table would make PostgreSQL plan the statement again.
    await client.query('alter table provenance.outbox set (autovacuum_enabled = false)');
    await client.query(`set plan_cache_mode = force_generic_plan; set jit = off; ${toFill(1, FEW)}`);
    await client.query(OTHER_JOB);
    if (isAnalyzed) await client.query('analyze provenance.outbox');
    for (const [name, , , claim] of CLAIMS) await measure(name, claim);
    await client.query(toFill(FEW + 1, MANY));
  }, 60_000);
  afterAll(() => client.end());

  const prepared = new Set<string>();

  /** Rolls the claim back. */
  async function measure(name: string, claim: (db: Queryable) => Promise<unknown>) {
    let [pages, projects] = [Number.NaN, [] as string[]];
    await claim({
      async query<Row>(text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
        if (!prepared.has(name)) await client.query(`prepare "${name}" as ${text}`);
        prepared.add(name);
        const execute = `execute "${name}"(${parameters.map(toLiteral).join()})`;
        await client.query('begin');
        const explained = await client.query(`explain (analyze, buffers, format json) ${execute}`);
        await client.query('rollback; begin');
        const claimed = await client.query(execute);
        await client.query('rollback');
        const { Plan: plan } = explained.rows[0]['QUERY PLAN'][0];
        pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
        projects = claimed.rows.map(({ projectId }) => projectId);
        return claimed.rows;
      },
    });
    return { pages, projects };
  }

  it.each(CLAIMS)(
    'reads few pages when a project has 20,000 jobs and %s',
    async (name, most, project, claim) => {
      const { pages, projects } = await measure(name, claim);
      expect(projects).toEqual([project]);
      expect(pages).toBeLessThan(most);
    },
  );
});

const toLiteral = (value: unknown): string =>
  pg.escapeLiteral(Array.isArray(value) ? `{${value.join()}}` : String(value));
