import type { BundleDraft } from '@colophon/model';
import { describe, expect, it, vi } from 'vitest';
import type { Database } from '../../src/platform/db/database.js';
import {
  assertBounded,
  assertFewActions,
  toItems,
} from '../../src/records/credentials/import-credentials.js';
import type { RecordItem } from '../../src/records/draft/record-item.js';
import { toMaxSerialActions } from '../../src/records/write/batch-kind.js';
import { createRecorder } from '../../src/records/write/recorder.js';

interface Given {
  engine?: Database['engine'];
  known?: number;
}

it.each([
  ['actions', 500],
  ['entities', 2_000],
  ['attributions', 2_000],
] as const)('an import accepts %s up to %i, and the error for more names their number', (list, most) => {
  const bundleOf = (count: number) => ({
    ...{ actions: [], entities: [], attributions: [], complete: true },
    [list]: Array.from({ length: count }),
  });
  expect(() => assertBounded(bundleOf(most), 3_000)).not.toThrow();
  expect(() => assertBounded(bundleOf(most + 1), 3_000)).toThrow(`The file has ${most + 1} ${list}.`);
});

it('an import accepts as many records as a batch, and the error for more names the limit', () => {
  const listOf = (length: number) => Array.from({ length });
  const bundle = { actions: listOf(400), entities: listOf(100), attributions: listOf(500), complete: true };
  expect(() => assertBounded(bundle as unknown as BundleDraft, 1_000)).not.toThrow();
  const tooLarge = { ...bundle, entities: listOf(101) } as unknown as BundleDraft;
  const refused = expect.objectContaining({
    code: 'PayloadTooLarge',
    bound: 'MAX_BATCH_RECORDS',
    message:
      'The file has 1001 entities, actions and attributions; at most 1000 are allowed (MAX_BATCH_RECORDS).',
    recovery: expect.stringContaining('POST /v1/media/extract'),
    details: { records: 1_001, maxRecords: 1_000 },
  });
  expect(() => assertBounded(tooLarge, 1_000)).toThrow(refused);
});

it('an import on the embedded database has at most a quarter of MAX_BATCH_RECORDS new actions', async () => {
  const bundleOf = (length: number) =>
    ({ actions: Array.from({ length }, (_, place) => ({ id: String(place) })) }) as unknown as BundleDraft;
  const assertFew = (length: number, { engine = 'pglite', known = 0 }: Given = {}) => {
    const query = async () => bundleOf(known).actions;
    const provenance = { query } as unknown as Database;
    const maxSerialActions = toMaxSerialActions(engine, 1_000);
    return assertFewActions({ provenance, maxSerialActions }, 'project', bundleOf(length));
  };
  await assertFew(250);
  await assertFew(500, { known: 250 });
  const refused = expect.objectContaining({
    code: 'PayloadTooLarge',
    bound: 'MAX_BATCH_RECORDS',
    message:
      'The file has 251 actions that the embedded database must write one by one; at most 250 are allowed (a quarter of MAX_BATCH_RECORDS).',
    recovery: expect.stringMatching(
      /POST \/v1\/media\/extract, or .* PostgreSQL or to raise MAX_BATCH_RECORDS/,
    ),
    details: { actions: 251, maxActions: 250 },
  });
  await expect(assertFew(251)).rejects.toThrow(refused);
  await expect(assertFew(500, { known: 249 })).rejects.toThrow(refused);
  for (const engine of ['postgresql', 'supabase'] as const) await assertFew(500, { engine });
});

it('an import refuses a bundle that lacks a part of the manifests', () => {
  const bundle = { actions: [], entities: [], attributions: [], complete: false };
  expect(() => assertBounded(bundle, 3_000)).toThrow('too large to be imported completely');
});

describe('the drafts of a large import', () => {
  const AT = new Date('2026-11-21T09:30:00.000Z');
  const COUNT = 320;
  const listOf = <Name extends string>(prefix: string, toRecord: (id: string) => Record<Name, unknown>) =>
    Array.from({ length: COUNT }, (_, place) => toRecord(`${prefix} ${place}`));
  const bundle = {
    ...{ cid: 'file', complete: true, resources: [] },
    entities: listOf('entity', (id) => ({ id, role: 'human' })),
    actions: listOf('action', (id) => ({
      ...{ id, type: 'create', performedBy: 'entity 0', inputCids: [], outputCids: [`of ${id}`] },
      ...{ timestamp: AT.toISOString(), extensions: {} },
    })),
    attributions: [
      ...listOf('credit', (id) => ({ id, entityId: 'entity 1', actionId: 'action 0', role: id })),
      { id: 'for a content', entityId: 'entity 2', resourceCid: 'of action 1', role: 'creator' },
      { id: 'for another content', entityId: 'entity 2', resourceCid: 'elsewhere', role: 'creator' },
    ],
  } as unknown as BundleDraft;
  const described = {} as NonNullable<RecordItem['upload']>;

  it('let other work run after every 32 records, also if all attributions are of one action', async () => {
    let isDone = false;
    let turns = 0;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const items = await toItems(bundle, { at: AT, described, signal: new AbortController().signal });
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual((3 * COUNT) / 32 - 3);
    expect(items).toHaveLength(COUNT + 1);
    expect(items[0]?.attributions).toHaveLength(COUNT);
    expect(items.at(-1)?.attributions?.map(({ body }) => body.id)).toEqual(['for a content']);
    expect(items.at(-1)?.entities?.map(({ id }) => id)).toEqual(['entity 2']);
  });

  it('end when the caller has left', async () => {
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(toItems(bundle, { at: AT, described, signal })).rejects.toThrow('gone');
  });

  it('become JSON one after the other, before the statement that records them', async () => {
    const statements: unknown[][] = [];
    const query = async (_: string, parameters: unknown[] = []) => {
      statements.push(parameters);
      return [{ outcomes: [] }];
    };
    const recorder = createRecorder({ query } as unknown as Database);
    const items = await toItems(bundle, { at: AT, described, signal: new AbortController().signal });
    const { stringify } = JSON;
    const lengths: number[] = [];
    const spy = vi.spyOn(JSON, 'stringify').mockImplementation((value) => {
      const text = stringify(value);
      lengths.push(text.length);
      return text;
    });
    await recorder.recordTogether('project', { items: items.slice(1), isTrial: true });
    spy.mockRestore();
    const [, sent] = statements[0] ?? [];
    expect(JSON.parse(String(sent))).toEqual(JSON.parse(stringify(items.slice(1))));
    expect(lengths).toHaveLength(COUNT);
    expect(Math.max(...lengths)).toBeLessThan(10_000);
  });
});
