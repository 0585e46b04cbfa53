import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { parseCursor, toStoredCursor } from '../../src/integrity/cursor.js';
import type { IntegrityFinding } from '../../src/integrity/deps.js';
import { startIntegrityCheck } from '../../src/integrity/start-integrity-check.js';
import type { Database } from '../../src/platform/db/database.js';
import { readLogSize } from '../../src/transparency-log/log.sql.js';
import { jsonPost, KEY, OTHER_KEY, type Service, startService } from '../support/service.js';

/** The check visits projects in the order of their ids. */
const [FIRST, LAST] = [
  { projectId: namedProjectId('one'), key: KEY },
  { projectId: namedProjectId('two'), key: OTHER_KEY },
].sort((a, b) => (a.projectId < b.projectId ? -1 : 1)) as [Tenant, Tenant];
const cidOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const WAIT = { timeout: 60_000, interval: 20 };
/** A statement that reads a page of records. */
const PAGE = /from provenance\.(entity|action|attribution)\s+where project_id = \$1 and id >/;

interface Tenant {
  projectId: string;
  key: string;
}

let service: Service;
let recorded = 0;
beforeAll(async () => {
  service = await startService('PGlite in memory', { environment: { AUDIT_INTERVAL_MINUTES: '0' } });
  await record(FIRST, 300);
  await record(LAST, 1);
});
afterAll(() => service.stop());

/** The ids have the order of the recordings. */
async function record({ key }: Tenant, count: number): Promise<void> {
  const entities = Array.from({ length: count }, () => ({ id: `e${++recorded + 100_000}`, role: 'human' }));
  const headers = { authorization: `Bearer ${key}` };
  expect((await service.send('/v1/batch', jsonPost({ entities }, headers))).status).toBe(201);
}

/** Returns the projects of the reads. Calls `before` before each read of a page of records. */
async function runPass(
  before: (projectId: string) => Promise<void> = async () => {},
  expected: readonly IntegrityFinding[] = [],
): Promise<string[]> {
  const { provenance, blobs } = service.context.records;
  const projects: string[] = [];
  const watched: Database = {
    ...provenance,
    async query(text, parameters) {
      const projectId = String(parameters?.[0]);
      if (PAGE.test(text)) {
        projects.push(projectId);
        await before(projectId);
      }
      return provenance.query(text, parameters);
    },
  };
  const readEnded = async () =>
    (
      await provenance.query<{ ended: number }>(
        'select (number - (cursor is not null)::int)::int as ended from provenance.audit_pass',
      )
    )[0]?.ended;
  const ended = (await readEnded()) ?? 0;
  const found: IntegrityFinding[] = [];
  const failures: unknown[] = [];
  const check = startIntegrityCheck({
    provenance: watched,
    blobs,
    intervalMs: 0,
    pollMs: 3_600_000,
    share: 1,
    onFinding: (finding) => found.push(finding),
    reportFailure: (error) => failures.push(error),
  });
  await vi.waitFor(async () => expect(await readEnded()).toBe(ended + 1), WAIT);
  await check.close();
  expect(failures).toEqual([]);
  expect(found).toEqual(expected);
  return projects;
}

it('the integrity check runs a step of each project in turn', async () => {
  const projects = await runPass();
  const ofFirst = projects.filter((projectId) => projectId === FIRST.projectId).length;
  expect(ofFirst).toBeGreaterThan(6);
  expect(projects.slice(0, 4)).toEqual([FIRST.projectId, LAST.projectId, FIRST.projectId, LAST.projectId]);
}, 90_000);

it('a pass ends although a project records more than the check reads', async () => {
  let grown = 0;
  const projects = await runPass(async (projectId) => {
    if (projectId !== FIRST.projectId || grown >= 6_000) return;
    grown += 60;
    await record(FIRST, 60);
  });
  expect(grown).toBeLessThan(6_000);
  expect(new Set(projects)).toEqual(new Set([FIRST.projectId, LAST.projectId]));
}, 90_000);

it('a pass keeps the findings of a kind that it does not check completely', async () => {
  const { provenance } = service.context.records;
  const headers = { authorization: `Bearer ${FIRST.key}` };
  const last = { id: 'zoe', role: 'human', name: 'Zoe' };
  expect((await service.send('/v1/entity', jsonPost(last, headers))).status).toBe(201);
  const rename = (name: string) =>
    provenance.query(
      `update provenance.entity set body = jsonb_set(body, '{name}', to_jsonb($2::text))
       where project_id = $1 and id = 'zoe'`,
      [FIRST.projectId, name],
    );
  const readFindings = () =>
    provenance.query('select kind, subject, problem from provenance.audit_finding order by 1, 2');
  const finding = { kind: 'entity', subject: 'zoe', problem: 'altered' } as const;
  await rename('Eve');
  await runPass(undefined, [{ projectId: FIRST.projectId, ...finding }]);
  // The next pass completes the check of leaves, but not the check of entities.
  await provenance.query(
    `insert into provenance.audit_finding (project_id, kind, subject, problem, pass)
     select $1, 'leaf', '0', 'missing', number from provenance.audit_pass`,
    [FIRST.projectId],
  );
  await runPass(async (projectId) => {
    if (projectId === FIRST.projectId) await record(FIRST, 60);
  });
  expect(await readFindings()).toEqual([finding]);
  await rename('Zoe');
  await runPass();
  expect(await readFindings()).toEqual([]);
}, 90_000);

it('a pass keeps the findings of edges when it ends the check of the inputs early', async () => {
  const { provenance } = service.context.records;
  const { projectId, key } = FIRST;
  const inputCids = Array.from({ length: 600 }, (_, n) => cidOf(`input ${n}`));
  const action = { performedBy: 'zoe', inputCids };
  const headers = { authorization: `Bearer ${key}` };
  expect((await service.send('/v1/action', jsonPost(action, headers))).status).toBe(201);
  await provenance.query(
    `insert into provenance.audit_finding (project_id, kind, subject, problem, pass)
     select $1, 'edge', 'z', 'unlinked', number from provenance.audit_pass`,
    [projectId],
  );
  const countFindings = () => provenance.query('select subject from provenance.audit_finding');
  const resumeEdges = async (newer: number) => {
    const size = await readLogSize(provenance, projectId);
    const visits = [{ projectId, stage: 'edge', size, newer }] as const;
    const cursor = JSON.stringify(toStoredCursor({ visits, begun: LAST.projectId }));
    await provenance.query('update provenance.audit_pass set number = number + 1, cursor = $1::jsonb', [
      cursor,
    ]);
  };
  await resumeEdges(1_000_000);
  await runPass();
  expect(await countFindings()).toEqual([{ subject: 'z' }]);
  await resumeEdges(0);
  await runPass();
  expect(await countFindings()).toEqual([]);
}, 90_000);

it('a pass continues from its stored position, even if an earlier version stored it', async () => {
  const visits = [
    { projectId: 'c', stage: 'leaf', after: '7', size: 9, newer: 0 },
    { projectId: 'b', stage: 'entity', size: 4, newer: 2 },
  ] as const;
  const cursor = { visits, begun: 'd' };
  const stored = JSON.parse(JSON.stringify(toStoredCursor(cursor)));
  const readSize = async () => 5;
  expect(await parseCursor(stored, readSize)).toEqual(cursor);
  // A node of an earlier version changes only these members.
  const moved = { projectId: 'b', stage: 'entity', after: 'x' } as const;
  const expected = { visits: [{ ...moved, size: 5, newer: 0 }], begun: 'b' };
  expect(await parseCursor({ ...stored, ...moved }, readSize)).toEqual(expected);
  expect(await parseCursor(moved, readSize)).toEqual(expected);
});
