import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database, Queryable } from '../../src/platform/db/database.js';
import { type Databases, openDatabases } from '../../src/platform/db/open-databases.js';
import { listUncosignedLogs } from '../../src/transparency-log/cosignatures.sql.js';

const LOGS = 450;

let databases: Databases;
let db: Database;
const anchored = new Map<string, number>();
beforeAll(async () => {
  databases = await openDatabases({ kind: 'memory' });
  db = databases.provenance;
  const projects = Array.from({ length: LOGS }, () => randomUUID());
  await db.query(
    `insert into provenance.anchor_due (project_id, size, origin) select id, 9, 'log' from unnest($1::uuid[]) as p(id)`,
    [projects],
  );
  const anchor = randomUUID();
  await db.query(
    `insert into provenance.anchor (id, root, size, state, chain_id, chain_name, contract)
     values ($1, $2, 1, 'final', 1, 'test', '0x')`,
    [anchor, Buffer.alloc(32)],
  );
  for (const projectId of projects.filter((_, place) => place % 3 === 0)) anchored.set(projectId, 7);
  await db.query(
    `insert into provenance.anchor_head (project_id, size, anchor_id, origin, place, path)
     select id, size, $1, 'log', 0, '[]' from unnest($2::uuid[]) as p(id), unnest('{3,7}'::int[]) as s(size)`,
    [anchor, [...anchored.keys()]],
  );
});
afterAll(() => databases.close());

it('a round lists the trees to cosign with one statement, and one more for each 200 logs', async () => {
  let statements = 0;
  const counted: Queryable = {
    ...db,
    query(text, parameters) {
      statements++;
      return db.query(text, parameters);
    },
  };
  const [first] = anchored.keys();
  await db.query(
    `insert into provenance.cosignature (project_id, size, witness, line) values ($1, 7, 'seen', '')`,
    [first],
  );
  const logs = await listUncosignedLogs(counted, { keys: ['new', 'seen'], paused: [] }, 1_000);
  expect(statements).toBe(1 + Math.ceil(LOGS / 200));
  const others = logs.filter(({ projectId }) => projectId !== first);
  expect(others).toHaveLength(LOGS - 1);
  for (const { projectId, size, witnesses } of others) {
    expect(size).toBe(anchored.get(projectId) ?? 9);
    expect(witnesses.map(({ key }) => key).sort()).toEqual(['new', 'seen']);
  }
  const ofFirst = logs.filter(({ projectId }) => projectId === first);
  expect(ofFirst.sort((a, b) => a.size - b.size)).toMatchObject([
    { size: 7, witnesses: [{ key: 'new', size: 0 }] },
    { size: 9, witnesses: [{ key: 'seen', size: 7 }] },
  ]);
});
