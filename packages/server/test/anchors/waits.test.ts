import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOnchainWaits } from '../../src/anchors/onchain-waits.js';
import type { Database } from '../../src/platform/db/database.js';
import type { Databases } from '../../src/platform/db/open-databases.js';
import { record } from '../support/anchored-service.js';
import { startChain } from '../support/chain.js';
import { openOn } from '../support/open-on.js';
import { ANY_ENGINE, jsonPost, startService } from '../support/service.js';

const [PROJECT, OTHER_PROJECT] = [uuidv7(), uuidv7()];

let databases: Databases;
beforeAll(async () => {
  databases = await openOn('PGlite in memory');
});
afterAll(() => databases.close());

function countStatements(): { db: Database; ofProject: (projectId: string) => number } {
  const projects: unknown[] = [];
  const db: Database = {
    ...databases.provenance,
    query: (text, parameters = []) => {
      projects.push(parameters[0]);
      return databases.provenance.query(text, parameters);
    },
  };
  return { db, ofProject: (projectId) => projects.filter((one) => one === projectId).length };
}

it('waiting requests of a project share the statements that look for their anchors', async () => {
  const { db, ofProject } = countStatements();
  const waits = createOnchainWaits(db, 50);
  let isOver = false;
  const begin = (projectId: string) => waits.wait(projectId, { actionId: uuidv7(), isOver: () => isOver });
  const waiting = [begin(OTHER_PROJECT), ...Array.from({ length: 50 }, () => begin(PROJECT))];
  await expect.poll(() => ofProject(OTHER_PROJECT), { timeout: 10_000 }).toBeGreaterThanOrEqual(4);
  isOver = true;
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => ({})));
  // One statement may look for one project and not yet for the other.
  expect(Math.abs(ofProject(PROJECT) - ofProject(OTHER_PROJECT))).toBeLessThanOrEqual(2);
});

it('a project has a limited number of waiting requests, and the end of a request frees its place', async () => {
  const waits = createOnchainWaits(databases.provenance, 2);
  let isOver = false;
  const begin = (projectId: string) => waits.wait(projectId, { actionId: uuidv7(), isOver: () => isOver });
  const [first, second] = [begin(PROJECT), begin(PROJECT)];
  expect(begin(PROJECT)).toBeUndefined();
  const other = begin(OTHER_PROJECT);
  expect(other).toBeDefined();
  isOver = true;
  await Promise.all([first, second, other]);
  expect(await begin(PROJECT)).toEqual({});
});

it('all waiting requests of a project fail when the database fails, and the next request succeeds', async () => {
  let isAway = true;
  const db: Database = {
    ...databases.provenance,
    query: (...given) => (isAway ? Promise.reject(new Error('away')) : databases.provenance.query(...given)),
  };
  const waits = createOnchainWaits(db, 2);
  const begin = () => waits.wait(PROJECT, { actionId: uuidv7(), isOver: () => true });
  const outcomes = await Promise.allSettled([begin(), begin()]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isAway = false;
  expect(await begin()).toEqual({});
});

it('a request above MAX_PROJECT_WAITS is answered at once, as without the header Prefer', async () => {
  const chain = await startChain();
  const service = await startService(ANY_ENGINE, {
    environment: { ...chain.environment, MAX_PROJECT_WAITS: '0' },
  });
  await service.send('/v1/entity', jsonPost({ id: 'ann', role: 'human', name: 'Ann' }));
  await record(service);
  const answer = await service.send('/v1/action', jsonPost({ performedBy: 'ann' }, { prefer: 'wait=60' }));
  expect(answer.status).toBe(201);
  expect(answer.headers.get('preference-applied')).toBeNull();
  await service.stop();
  await chain.stop();
}, 60_000);
