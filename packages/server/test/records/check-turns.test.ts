import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { parseCursor, toStoredCursor } from '../../src/integrity/cursor.js';
import { startIntegrityCheck } from '../../src/integrity/start-integrity-check.js';
import type { Database } from '../../src/platform/db/database.js';
import { jsonPost, KEY, OTHER_KEY, type Service, startService } from '../support/service.js';

/** The check visits projects in the order of their ids, so the first one is the large one. */
const [FIRST, LAST] = [
  { projectId: namedProjectId('one'), key: KEY },
  { projectId: namedProjectId('two'), key: OTHER_KEY },
].sort((a, b) => (a.projectId < b.projectId ? -1 : 1)) as [Tenant, Tenant];
const WAIT = { timeout: 60_000, interval: 20 };
/** Kinds of statements that read a page of records. */
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

/** Records entities. Their ids have the order of the recordings. */
async function record({ key }: Tenant, count: number): Promise<void> {
  const entities = Array.from({ length: count }, () => ({ id: `e${++recorded + 100_000}`, role: 'human' }));
  const headers = { authorization: `Bearer ${key}` };
  expect((await service.send('/v1/batch', jsonPost({ entities }, headers))).status).toBe(201);
}

/** Runs one pass. Calls `before` before each read of a page of records, and returns the projects of these reads. */
async function runPass(before: (projectId: string) => Promise<void> = async () => {}): Promise<string[]> {
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
  const readPass = async () =>
    (
      await provenance.query<{ number: string }>(
        'select number from provenance.audit_pass where cursor is null',
      )
    )[0];
  const began = Number((await readPass())?.number);
  const failures: unknown[] = [];
  const check = startIntegrityCheck({
    provenance: watched,
    blobs,
    intervalMs: 0,
    pollMs: 3_600_000,
    share: 1,
    onFinding: (finding) => failures.push(finding),
    reportFailure: (error) => failures.push(error),
  });
  await vi.waitFor(async () => expect(Number((await readPass())?.number)).toBe(began + 1), WAIT);
  await check.close();
  expect(failures).toEqual([]);
  return projects;
}

it('checks a step of each project in turn', async () => {
  const projects = await runPass();
  const ofFirst = projects.filter((projectId) => projectId === FIRST.projectId).length;
  expect(ofFirst).toBeGreaterThan(6);
  expect(projects.slice(0, 4)).toEqual([FIRST.projectId, LAST.projectId, FIRST.projectId, LAST.projectId]);
}, 90_000);

it('ends while a project records more than the check reads', async () => {
  let grown = 0;
  const projects = await runPass(async (projectId) => {
    if (projectId !== FIRST.projectId || grown >= 6_000) return;
    grown += 60;
    await record(FIRST, 60);
  });
  expect(grown).toBeLessThan(6_000);
  expect(new Set(projects)).toEqual(new Set([FIRST.projectId, LAST.projectId]));
}, 90_000);

it('continues all visits, or those from the project on that a node of an earlier version has reached', async () => {
  const visits = [
    { projectId: 'c', stage: 'leaf', after: '7', size: 9, newer: 0 },
    { projectId: 'b', stage: 'entity', size: 4, newer: 2 },
  ] as const;
  const cursor = { visits, begun: 'd' };
  const stored = JSON.parse(JSON.stringify(toStoredCursor(cursor)));
  const readSize = async () => 5;
  expect(await parseCursor(stored, readSize)).toEqual(cursor);
  // An earlier version changes these members and keeps the others, or writes only these.
  const moved = { projectId: 'b', stage: 'entity', after: 'x' } as const;
  const expected = { visits: [{ ...moved, size: 5, newer: 0 }], begun: 'b' };
  expect(await parseCursor({ ...stored, ...moved }, readSize)).toEqual(expected);
  expect(await parseCursor(moved, readSize)).toEqual(expected);
});
