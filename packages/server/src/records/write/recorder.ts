import { isJsonObject } from '@colophon/model';
import type { Database } from '../../platform/db/database.js';
import type { RecordItem } from '../draft/record-item.js';
import { tryAgain } from '../read/try-again.js';
import { createCoalescer, type RunBatch } from './coalescer.js';
import { expectFresh, expectFreshInOrder, toFreshOutcome } from './fresh-items.js';
import type { BatchOutcome, Outcome } from './outcome.js';
import {
  decide,
  readItemsNeedingDecision,
  readKeptBatch,
  recordBatch,
  recordFresh,
  recordFreshBatch,
  recordTogether,
} from './recording.sql.js';

/** Writes records. No other code does. */
export interface Recorder {
  /** Writes the item in one transaction, and resolves when the item is durable. */
  record(projectId: string, item: RecordItem): Promise<Outcome>;
  /** Resolves to the refusal that record() would return now; undefined when it would write the item. */
  check(projectId: string, item: RecordItem): Promise<Outcome | undefined>;
  /** Writes all items in one transaction, or none. A trial writes nothing. Resolves to an outcome per item, in order. */
  recordTogether(
    projectId: string,
    batch: { items: readonly RecordItem[]; isTrial: boolean },
  ): Promise<Outcome[]>;
  /** Writes all items of one request, or none. Each is an entity, an action or an attribution. */
  recordBatch(projectId: string, batch: BatchItems): Promise<BatchOutcome>;
  /** Reads the stored answer of a batch with this key; undefined without a key, or when there is none. */
  repeatBatch(projectId: string, key?: RecordItem['idempotency']): Promise<BatchOutcome | undefined>;
}

/** The items of one request, and its Idempotency-Key. */
export interface BatchItems {
  items: readonly RecordItem[];
  key?: RecordItem['idempotency'];
}

/** Prefix of the types of claims and transfers. */
const OWNERSHIP = 'ext:ownership:';

const LIMITS = { maxItems: 64, maxCharacters: 2 ** 20 };

/** Adds the request's Idempotency-Key to the items of a recorder: a repetition gets the first answer. */
export function withIdempotency(recorder: Recorder, idempotency: RecordItem['idempotency']): Recorder {
  if (idempotency === undefined) return recorder;
  return {
    record: (projectId, item) => recorder.record(projectId, { ...item, idempotency }),
    async check(projectId, item) {
      const keyed = { ...item, idempotency };
      const outcome = await recorder.check(projectId, keyed);
      // A second recording changes no record. It stores the key with the answer.
      return outcome?.outcome === 'replayed' ? recorder.record(projectId, keyed) : outcome;
    },
    recordTogether: recorder.recordTogether,
    recordBatch: (projectId, batch) => recorder.recordBatch(projectId, { ...batch, key: idempotency }),
    repeatBatch: (projectId) => recorder.repeatBatch(projectId, idempotency),
  };
}

/**
 * Creates a recorder on a database that has the provenance layer. `proofsMayRepeat` allows several actions with one
 * proof. Claims and transfers never share a proof, since every policy verifies them.
 */
export function createRecorder(db: Database, { proofsMayRepeat = false } = {}): Recorder {
  const mark = (item: RecordItem): RecordItem => {
    const { proof, type } = item.action?.body ?? {};
    if (item.action === undefined || !isJsonObject(proof)) return item;
    const mayRepeat = proofsMayRepeat && !String(type).startsWith(OWNERSHIP);
    // The service verifies Ed25519 proofs only.
    if (!mayRepeat && proof.algorithm === 'Ed25519') return item;
    return { ...item, action: { ...item.action, proofMayRepeat: true } };
  };
  const run: RunBatch<RecordItem, Outcome> = (projectId, texts, items) =>
    recordGroup(db, projectId, { texts, items });
  const areFresh: RunBatch<RecordItem, boolean> = async (projectId, _texts, items) => {
    const positions = await readItemsNeedingDecision(db, projectId, expectFresh(items));
    return items.map((_, index) => !positions.has(index + 1));
  };
  const isFresh = createCoalescer(areFresh, LIMITS);
  const record = createCoalescer(run, LIMITS);
  return {
    record: (projectId, item) => record(projectId, mark(item)),
    async check(projectId, item) {
      const marked = mark(item);
      return (await isFresh(projectId, marked)) ? undefined : decide(db, projectId, marked);
    },
    recordTogether: (projectId, { items, isTrial }) =>
      recordTogether(db, projectId, { items: items.map(mark), isTrial }),
    recordBatch: (projectId, { items, key }) =>
      tryAgain(() => recordBatchOf(db, projectId, { items: items.map(mark), key })),
    repeatBatch: async (projectId, key) => key && readKeptBatch(db, projectId, key),
  };
}

/** Records items of several requests in one transaction. Their order does not matter. */
async function recordGroup(
  db: Database,
  projectId: string,
  { texts, items }: { texts: readonly string[]; items: readonly RecordItem[] },
): Promise<Outcome[]> {
  const expected = expectFresh(items);
  const { at, apart, outcomes } = await recordFresh(db, projectId, { items: texts, expected });
  let freshCount = 0;
  return items.map((item, index) => {
    const decided = outcomes[apart.indexOf(index + 1)];
    return decided ?? toFreshOutcome(item, at + freshCount++);
  });
}

async function recordBatchOf(
  db: Database,
  projectId: string,
  { items, key }: BatchItems,
): Promise<BatchOutcome> {
  const expected = expectFreshInOrder(items);
  const isPlain = expected.apart.length === 0 && items.every(({ action }) => action !== undefined);
  if (!isPlain) return recordBatch(db, projectId, { items, expected, key });
  const records = items.flatMap(({ action }) =>
    action === undefined ? [] : [{ id: action.id, digest: `sha256:${action.digest}`, created: true }],
  );
  const outcome: BatchOutcome = { outcome: 'recorded', records };
  const concerns = [...new Set(items.flatMap(({ action }) => action?.body.performedBy ?? []))];
  const kept = key && { ...key, outcome: { ...outcome, concerns } };
  const scopes = key === undefined ? {} : { scopes: { [key.scope]: [1] } };
  const isRecorded = await recordFreshBatch(db, projectId, {
    items,
    expected: { ...expected, ...scopes },
    kept,
  });
  return isRecorded ? outcome : recordBatch(db, projectId, { items, expected, key });
}
