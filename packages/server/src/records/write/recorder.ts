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

/** The only code that writes records. */
export interface Recorder {
  /** Writes the item in one transaction, and resolves when the item is durable. */
  record(projectId: string, item: RecordItem): Promise<Outcome>;
  /** Resolves to the outcome of record() when it would write nothing, such as a replay. Otherwise undefined. */
  check(projectId: string, item: RecordItem): Promise<Outcome | undefined>;
  /** Writes all items in one transaction, or none. A trial only checks them. Resolves to an outcome per item. */
  recordTogether(
    projectId: string,
    batch: { items: readonly RecordItem[]; isTrial: boolean },
  ): Promise<Outcome[]>;
  /** Writes all items of one request, or none. Each item is one entity, one action or one attribution. */
  recordBatch(projectId: string, batch: BatchItems): Promise<BatchOutcome>;
  /** Reads the outcome that is stored for the key of a batch. Undefined without a key or a stored outcome. */
  repeatBatch(projectId: string, key?: RecordItem['idempotency']): Promise<BatchOutcome | undefined>;
}

export interface BatchItems {
  items: readonly RecordItem[];
  key?: RecordItem['idempotency'];
}

/** Prefix of the action types of ownership claims and transfers. */
const OWNERSHIP = 'ext:ownership:';

const LIMITS = { maxItems: 64, maxCharacters: 2 ** 20 };

/** Returns a recorder that adds the Idempotency-Key to each item. A repeated request gets the first response. */
export function withIdempotency(recorder: Recorder, idempotency: RecordItem['idempotency']): Recorder {
  if (idempotency === undefined) return recorder;
  return {
    record: (projectId, item) => recorder.record(projectId, { ...item, idempotency }),
    async check(projectId, item) {
      const keyed = { ...item, idempotency };
      const outcome = await recorder.check(projectId, keyed);
      // For a replay, `record` changes no record. It only stores the response under the Idempotency-Key.
      return outcome?.outcome === 'replayed' ? recorder.record(projectId, keyed) : outcome;
    },
    recordTogether: recorder.recordTogether,
    recordBatch: (projectId, batch) => recorder.recordBatch(projectId, { ...batch, key: idempotency }),
    repeatBatch: (projectId) => recorder.repeatBatch(projectId, idempotency),
  };
}

/**
 * `proofsMayRepeat`: several actions may have the same proof. This never applies to ownership claims and transfers,
 * since every policy verifies their proofs.
 */
export function createRecorder(db: Database, { proofsMayRepeat = false } = {}): Recorder {
  const mark = (item: RecordItem): RecordItem => {
    const { proof, type } = item.action?.body ?? {};
    if (item.action === undefined || !isJsonObject(proof)) return item;
    const mayRepeat = proofsMayRepeat && !String(type).startsWith(OWNERSHIP);
    // Proofs of other algorithms may repeat, since the service does not verify them.
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
