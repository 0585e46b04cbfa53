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
/** A complete walk of the history visits each input and output once. */
const EDGES = 2 * LAYERS * ACTIONS * CONTENTS;

const contentOf = (layer: number) => Array.from({ length: CONTENTS }, (_, place) => `${layer} ${place}`);

let databases: Databases;

beforeAll(async () => {
  databases = await openOn('PostgreSQL');
  const actions = Array.from({ length: LAYERS * ACTIONS }, (_, place) => toItem(Math.floor(place / ACTIONS)));
  await recordItems(databases.provenance, PROJECT, [toEntityItem({ id: 'ann', role: 'human' }), ...actions]);
});
afterAll(() => databases.close());

function toItem(layer: number) {
  const [inputCids, outputCids] = [contentOf(layer), contentOf(layer + 1)];
  return toActionItem({ id: randomUUID(), performedBy: 'ann', inputCids, outputCids });
}

interface PlanNode {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

async function explain(text: string, parameters: unknown[]): Promise<PlanNode> {
  const explained = `explain (analyze, buffers, timing off, format json) ${text}`;
  const [row] = await databases.provenance.query<Record<string, [{ Plan: PlanNode }]>>(explained, parameters);
  const { Plan: plan } = row?.['QUERY PLAN']?.[0] ?? {};
  if (plan === undefined) throw new Error('The statement has no plan');
  return plan;
}

/** Includes the pages of its functions. */
async function countPages(text: string, parameters: unknown[]): Promise<number> {
  const plan = await explain(text, parameters);
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

function countRows(plan: PlanNode, table: string): number {
  const own = plan['Relation Name'] === table ? plan['Actual Rows'] * plan['Actual Loops'] : 0;
  return (plan.Plans ?? []).reduce((sum, part) => sum + countRows(part, table), own);
}

it('the first statement that reads a history stops early if very many links connect its actions', async () => {
  const { db, statements } = watched();
  const options = { cid: `${LAYERS} 0`, direction: 'ancestors', depth: undefined, limit: 200 } as const;
  const row = await readBundleRow(db, PROJECT, { ...options, maxBytes: 2 ** 20 });
  expect(row).toMatchObject({ known: true, fits: false });
  const [{ text, parameters } = { text: '', parameters: [] }] = statements;
  expect(await countPages(text, parameters)).toBeLessThan(EDGES);
});

it.each([undefined, 5])(
  'the walk ends early if very many links lead to the same few actions (depth: %s)',
  async (depth) => {
    const project = randomUUID();
    const [makers, users, inputs] = [150, 10, 16];
    const outputCids = Array.from({ length: users * inputs }, (_, place) => `o${place}`);
    const made = (inputCids: string[], outputs: string[]) =>
      toActionItem({ id: randomUUID(), performedBy: 'ann', inputCids, outputCids: outputs });
    await recordItems(databases.provenance, project, [
      toEntityItem({ id: 'ann', role: 'human' }),
      ...Array.from({ length: makers }, () => made([], outputCids)),
      ...Array.from({ length: users }, (_, user) =>
        made(outputCids.slice(user * inputs, (user + 1) * inputs), ['root']),
      ),
    ]);
    const { db, statements } = watched();
    const options = { cid: 'root', direction: 'ancestors', depth, limit: 200, maxBytes: 2 ** 20 } as const;
    const row = await readBundleRow(db, project, options);
    const [{ text, parameters } = { text: '', parameters: [] }] = statements;
    const links = countRows(await explain(text, parameters), 'action_output');
    // The walk has at most 22 rows for each of 201 actions.
    expect(links).toBeLessThan(22 * 201);
    expect(makers * users * inputs).toBeGreaterThan(5 * 22 * 201);
    expect(row).toMatchObject({ fits: false, isCut: true });
  },
);

function watched() {
  const statements: { text: string; parameters: unknown[] }[] = [];
  const query = async <Row>(text: string, parameters: readonly unknown[] = []) => {
    statements.push({ text, parameters: [...parameters] });
    return databases.provenance.query<Row>(text, parameters);
  };
  return { db: { query }, statements };
}
