import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Databases } from '../../src/platform/db/open-databases.js';
import { readBundleRow } from '../../src/records/read/histories.sql.js';
import { openOn } from '../support/open-on.js';
import { recordItems, toActionItem, toEntityItem } from '../support/plain-items.js';

const PROJECT = randomUUID();
const LAYERS = 3;
const ACTIONS = 40;
const CONTENTS = 100;
/** Number of inputs and outputs of all actions. A complete walk of the history visits each of them once. */
const EDGES = 2 * LAYERS * ACTIONS * CONTENTS;

const contentOf = (layer: number) => Array.from({ length: CONTENTS }, (_, place) => `${layer} ${place}`);

let databases: Databases;

beforeAll(async () => {
  databases = await openOn('PostgreSQL');
  const actions = Array.from({ length: LAYERS * ACTIONS }, (_, place) => toItem(Math.floor(place / ACTIONS)));
  await recordItems(databases.provenance, PROJECT, [toEntityItem({ id: 'ann', role: 'human' }), ...actions]);
});
afterAll(() => databases.close());

/** An action that uses all contents of a layer and makes all contents of the next one. */
function toItem(layer: number) {
  const [inputCids, outputCids] = [contentOf(layer), contentOf(layer + 1)];
  return toActionItem({ id: randomUUID(), performedBy: 'ann', inputCids, outputCids });
}

/** Returns the number of pages that a statement visited, including those of its functions. */
async function countPages(text: string, parameters: unknown[]): Promise<number> {
  const explained = `explain (analyze, buffers, timing off, format json) ${text}`;
  const [row] = await databases.provenance.query<Record<string, [{ Plan: Record<string, number> }]>>(
    explained,
    parameters,
  );
  const { Plan: plan } = row?.['QUERY PLAN']?.[0] ?? {};
  return (plan?.['Shared Hit Blocks'] ?? Number.NaN) + (plan?.['Shared Read Blocks'] ?? Number.NaN);
}

it('the first statement that reads a history stops early if very many links connect its actions', async () => {
  const { db, statements } = watched();
  const options = { cid: `${LAYERS} 0`, direction: 'ancestors', depth: undefined, limit: 200 } as const;
  const row = await readBundleRow(db, PROJECT, { ...options, maxBytes: 2 ** 20 });
  expect(row).toMatchObject({ known: true, fits: false });
  const [{ text, parameters } = { text: '', parameters: [] }] = statements;
  expect(await countPages(text, parameters)).toBeLessThan(EDGES);
});

/** The database, and the statements that it received. */
function watched() {
  const statements: { text: string; parameters: unknown[] }[] = [];
  const query = async <Row>(text: string, parameters: readonly unknown[] = []) => {
    statements.push({ text, parameters: [...parameters] });
    return databases.provenance.query<Row>(text, parameters);
  };
  return { db: { query }, statements };
}
