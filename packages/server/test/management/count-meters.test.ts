import { afterAll, beforeAll, expect, it } from 'vitest';
import { enrolNamedProject, namedProjectId } from '../../src/access/create-key.js';
import { createDetectionMeter } from '../../src/management/detection-meter.js';
import { sumDetections } from '../../src/management/detections.sql.js';
import { createViewMeter } from '../../src/management/view-meter.js';
import type { Database } from '../../src/platform/db/database.js';
import { type Databases, openDatabases } from '../../src/platform/db/open-databases.js';

const PROJECT = namedProjectId('one');
const FINDING = { projectId: PROJECT, layer: 'log', confidence: 'high' } as const;
const TODAY = new Date().toISOString().slice(0, 10);

let databases: Databases;
beforeAll(async () => {
  databases = await openDatabases({ kind: 'memory' });
  await databases.control.transaction((tx) => enrolNamedProject(tx, 'one'));
});
afterAll(() => databases.close());

/** The second query loses its answer. */
function openFaulty({ control }: Databases): Database {
  const faults: ('fails' | 'loses its answer')[] = ['fails', 'loses its answer'];
  return {
    ...control,
    async query<Row>(text: string, parameters?: readonly unknown[]): Promise<Row[]> {
      const fault = faults.shift();
      if (fault === 'fails') throw new Error('The database stopped.');
      const rows = await control.query<Row>(text, parameters);
      if (fault !== undefined) throw new Error('The answer was lost.');
      return rows;
    },
  };
}

it('a view meter counts each view of a publication once, also when a write fails or its answer is lost', async () => {
  const failures: unknown[] = [];
  const options = { reportFailure: (error: unknown) => failures.push(error), intervalMs: 1e6 };
  const meter = createViewMeter(openFaulty(databases), options);
  for (const id of ['one', 'two', 'one']) meter.count({ projectId: PROJECT, id });
  await meter.flush();
  meter.count({ projectId: PROJECT, id: 'one' });
  await meter.flush();
  await meter.close();
  expect(failures).toHaveLength(2);
  const rows = await databases.control.query(
    'select publication_id as id, views::int as views from control.publication_views order by 1',
  );
  expect(rows).toEqual([
    { id: 'one', views: 3 },
    { id: 'two', views: 1 },
  ]);
});

it('a detection meter counts each finding once, also when a write fails or its answer is lost', async () => {
  const { control } = databases;
  const failures: unknown[] = [];
  const reportFailure = (error: unknown) => failures.push(error);
  const meter = createDetectionMeter(openFaulty(databases), { reportFailure, intervalMs: 1e6 });
  meter.count(FINDING);
  meter.count(FINDING);
  await meter.flush();
  meter.count({ ...FINDING, layer: 'watermark', confidence: 'low' });
  await meter.flush();
  await meter.close();
  expect(failures).toHaveLength(2);
  expect(await sumDetections(control, PROJECT, { first: TODAY, last: TODAY })).toEqual({
    // The day when the project was created, or the later day of the migration.
    countedSince: TODAY,
    byLayer: [
      { layer: 'log', confidence: 'high', findings: 2 },
      { layer: 'watermark', confidence: 'low', findings: 1 },
    ],
  });
});
