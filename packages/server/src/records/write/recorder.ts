import { isJsonObject } from '@colophon/model';
import type { Database } from '../../platform/db/database.js';
import type { RecordItem } from '../draft/record-item.js';
import { tryAgain } from '../read/try-again.js';
import { createCoalescer, type RunBatch } from './coalescer.js';
import { expectFresh, toFreshOutcome } from './fresh-items.js';
import type { BatchOutcome, Outcome } from './outcome.js';
import {
  decide,
  readKeptBatch,
  readUnexpected,
  recordBatch,
  recordFresh,
  recordFreshBatch,
  recordTogether,
} from './recording.sql.js';

/** The one way in which records are written. */
export interface Recorder {
  /** Writes the item in one transaction. When it resolves, what it wrote is durable. */
  record(projectId: string, item: RecordItem): Promise<Outcome>;
  /** What record() would refuse the item for, as things stand; undefined when it would write it. */
  check(projectId: string, item: RecordItem): Promise<Outcome | undefined>;
  /** Writes the items in one transaction, all of them or none; a trial writes nothing. An outcome each, in order. */
  recordTogether(
    projectId: string,
    batch: { items: readonly RecordItem[]; isTrial: boolean },
  ): Promise<Outcome[]>;
  /** Writes the items of one request, each an entity, an action or an attribution, all of them or none. */
  recordBatch(projectId: string, batch: BatchItems): Promise<BatchOutcome>;
  /** What an earlier batch with this key was answered; undefined when there was none, or there is no key. */
  repeatBatch(projectId: string, key?: RecordItem['idempotency']): Promise<BatchOutcome | undefined>;
}

/** The items of one request, and its Idempotency-Key. */
export interface BatchItems {
  items: readonly RecordItem[];
  key?: RecordItem['idempotency'];
}

/** What the types of claims and transfers begin with. */
const OWNERSHIP = 'ext:ownership:';

const LIMITS = { maxItems: 64, maxCharacters: 2 ** 20 };

/** The recorder, whose items carry the request's Idempotency-Key: a repetition gets the first answer. */
export function withIdempotency(recorder: Recorder, idempotency: RecordItem['idempotency']): Recorder {
  if (idempotency === undefined) return recorder;
  return {
    record: (projectId, item) => recorder.record(projectId, { ...item, idempotency }),
    async check(projectId, item) {
      const keyed = { ...item, idempotency };
      const outcome = await recorder.check(projectId, keyed);
      // Recorded once more, which changes nothing but that the key then stands for this request.
      return outcome?.outcome === 'replayed' ? recorder.record(projectId, keyed) : outcome;
    },
    recordTogether: recorder.recordTogether,
    recordBatch: (projectId, batch) => recorder.recordBatch(projectId, { ...batch, key: idempotency }),
    repeatBatch: (projectId) => recorder.repeatBatch(projectId, idempotency),
  };
}

/**
 * Recorder on a database that has the provenance layer. Unless `proofsMayRepeat`, a proof is good for one action; one of
 * ownership always is, since claims and transfers are verified whatever the policy.
 */
export function createRecorder(db: Database, { proofsMayRepeat = false } = {}): Recorder {
  const mark = (item: RecordItem): RecordItem => {
    const { proof, type } = item.action?.body ?? {};
    if (item.action === undefined || !isJsonObject(proof)) return item;
    const mayRepeat = proofsMayRepeat && !String(type).startsWith(OWNERSHIP);
    // A proof of another kind is never verified, so it is no use of anything.
    if (!mayRepeat && proof.algorithm === 'Ed25519') return item;
    return { ...item, action: { ...item.action, proofMayRepeat: true } };
  };
  const run: RunBatch<RecordItem, Outcome> = (projectId, texts, items) =>
    recordGroup(db, projectId, { texts, items });
  const areExpected: RunBatch<RecordItem, boolean> = async (projectId, _texts, items) => {
    const unexpected = await readUnexpected(db, projectId, expectFresh(items));
    return items.map((_, index) => !unexpected.has(index + 1));
  };
  const isExpected = createCoalescer(areExpected, LIMITS);
  const record = createCoalescer(run, LIMITS);
  return {
    record: (projectId, item) => record(projectId, mark(item)),
    async check(projectId, item) {
      const marked = mark(item);
      return (await isExpected(projectId, marked)) ? undefined : decide(db, projectId, marked);
    },
    recordTogether: (projectId, { items, isTrial }) =>
      recordTogether(db, projectId, { items: items.map(mark), isTrial }),
    recordBatch: (projectId, { items, key }) =>
      tryAgain(() => recordBatchOf(db, projectId, { items: items.map(mark), key })),
    repeatBatch: async (projectId, key) => key && readKeptBatch(db, projectId, key),
  };
}

/** Records items of different requests in one transaction; which of them comes first is nobody's concern. */
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
  const expected = expectFresh(items);
  const isPlain = expected.apart.length === 0 && items.every(({ upload }) => upload === undefined);
  if (!isPlain) return recordBatch(db, projectId, { items, key });
  const records = items.flatMap(({ action }) =>
    action === undefined ? [] : [{ id: action.id, digest: `sha256:${action.digest}`, created: true }],
  );
  const outcome: BatchOutcome = { outcome: 'recorded', records };
  const concerns = [...new Set(items.flatMap(({ action }) => action?.body.performedBy ?? []))];
  const kept = key && { ...key, outcome: { ...outcome, concerns } };
  if (key !== undefined) expected.scopes = { [key.scope]: [1] };
  const isRecorded = await recordFreshBatch(db, projectId, { items, expected, kept });
  return isRecorded ? outcome : recordBatch(db, projectId, { items, key });
}
