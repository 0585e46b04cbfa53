import { setImmediate as letOthersRun } from 'node:timers/promises';
import { isJsonObject } from '@colophon/model';
import type { Database } from '../../platform/db/database.js';
import { mapYielding } from '../../platform/work/map-yielding.js';
import type { Scheduler, Turn, WorkKind } from '../../platform/work/scheduler.js';
import type { RecordItem } from '../draft/record-item.js';
import { tryAgain } from '../read/try-again.js';
import { countNames, toBatchKind } from './batch-kind.js';
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
  /** Writes the item in one transaction, and resolves when the item is durable. A large item waits for a slot first. */
  record(projectId: string, item: RecordItem, wait?: Wait): Promise<Outcome>;
  /** If `record` would write nothing, as for a replay, resolves to its outcome. Otherwise resolves to undefined. */
  check(projectId: string, item: RecordItem, wait?: Wait): Promise<Outcome | undefined>;
  /** Writes all items in one transaction, or none. A trial only checks them. Resolves to an outcome per item. */
  recordTogether(
    projectId: string,
    batch: { items: readonly RecordItem[]; isTrial: boolean },
  ): Promise<Outcome[]>;
  /** Writes all items or none. Each has one entity, one attribution, or one action with its performer's attribution. */
  recordBatch(projectId: string, batch: BatchItems): Promise<BatchOutcome>;
  /** Returns undefined without a key or a stored outcome. */
  repeatBatch(projectId: string, key?: RecordItem['idempotency']): Promise<BatchOutcome | undefined>;
}

/** `signal` ends the wait for a slot. With `mustBegin`, an item begins without a slot when the queue rejects it. */
export interface Wait extends Pick<Turn, 'signal'> {
  mustBegin?: boolean;
}

export interface BatchItems {
  items: readonly RecordItem[];
  key?: RecordItem['idempotency'];
}

/** Prefix of the action types of ownership claims and transfers. */
const OWNERSHIP = 'ext:ownership:';

const LIMITS = { maxItems: 64, maxCharacters: 2 ** 20 };

/** Maximum number of links per walk of a search for cycles. The recorder repeats a longer search in the fair queue. */
const SHORT_WALK = 1_000;

/** An item that exceeds one of these sizes waits in the queue of batches. `bytes`: JSON of its records. */
const LARGE_ITEM = { names: 200, bytes: 16 * 1024 };

interface RecorderOptions {
  /** Whether several actions may have the same proof. */
  proofsMayRepeat?: boolean;
  /** Maximum number of actions of a batch that the database may write one by one. */
  maxSerialActions?: number | undefined;
  scheduler?: Pick<Scheduler, 'run'>;
}

const AT_ONCE: Pick<Scheduler, 'run'> = {
  run: (_turn, task) => task(new AbortController().signal, () => {}),
};

/** Large items stop waiting for a slot when `signal` aborts. */
export function withSignal(recorder: Recorder, signal: AbortSignal | undefined): Recorder {
  if (signal === undefined) return recorder;
  return {
    ...recorder,
    record: (projectId, item, wait) => recorder.record(projectId, item, { signal, ...wait }),
    check: (projectId, item, wait) => recorder.check(projectId, item, { signal, ...wait }),
  };
}

/** Adds the Idempotency-Key to each item. A repeated request gets the first response. */
export function withIdempotency(recorder: Recorder, idempotency: RecordItem['idempotency']): Recorder {
  if (idempotency === undefined) return recorder;
  return {
    record: (projectId, item, wait) => recorder.record(projectId, { ...item, idempotency }, wait),
    async check(projectId, item, wait) {
      const keyed = { ...item, idempotency };
      const outcome = await recorder.check(projectId, keyed, wait);
      // For a replay, `record` only stores the response under the Idempotency-Key.
      return outcome?.outcome === 'replayed' ? recorder.record(projectId, keyed, wait) : outcome;
    },
    recordTogether: recorder.recordTogether,
    recordBatch: (projectId, batch) => recorder.recordBatch(projectId, { ...batch, key: idempotency }),
    repeatBatch: (projectId) => recorder.repeatBatch(projectId, idempotency),
  };
}

/** `proofsMayRepeat` never applies to ownership claims and transfers, because every policy verifies their proofs. */
export function createRecorder(
  db: Database,
  { proofsMayRepeat = false, maxSerialActions, scheduler = AT_ONCE }: RecorderOptions = {},
): Recorder {
  const mark = (item: RecordItem): RecordItem => {
    const { proof, type } = item.action?.body ?? {};
    if (item.action === undefined || !isJsonObject(proof)) return item;
    const mayRepeat = proofsMayRepeat && !String(type).startsWith(OWNERSHIP);
    // The service does not verify proofs of other algorithms, so they may repeat.
    if (!mayRepeat && proof.algorithm === 'Ed25519') return item;
    return { ...item, action: { ...item.action, proofMayRepeat: true } };
  };
  const run: RunBatch<RecordItem, Outcome> = (projectId, texts, items) =>
    recordGroup(db, projectId, { texts, items, longestWalk: SHORT_WALK });
  const areFresh: RunBatch<RecordItem, boolean> = async (projectId, _texts, items) => {
    const positions = await readItemsNeedingDecision(db, projectId, expectFresh(items));
    return items.map((_, index) => !positions.has(index + 1));
  };
  const isFresh = createCoalescer(areFresh, LIMITS);
  const record = createCoalescer(run, LIMITS);
  const inTurn = createTurns(scheduler);
  return {
    record(projectId, item, wait) {
      const marked = mark(item);
      const text = JSON.stringify(marked);
      return inTurn({ ...wait, projectId, kind: toQueue(marked, text) }, async (searchLong) => {
        const outcome = await record(projectId, marked, text);
        if (!needsOwnStatement(outcome)) return outcome;
        return searchLong(() => recordAlone(db, projectId, { item: marked, text }));
      });
    },
    check(projectId, item, wait) {
      const marked = mark(item);
      const text = JSON.stringify(marked);
      return inTurn({ ...wait, projectId, kind: toQueue(marked, text) }, async (searchLong) => {
        if (await isFresh(projectId, marked, text)) return undefined;
        const outcome = await decide(db, projectId, { ...marked, longestWalk: SHORT_WALK });
        if (!needsOwnStatement(outcome)) return outcome;
        return searchLong(() => decide(db, projectId, marked));
      });
    },
    async recordTogether(projectId, { items, isTrial }) {
      const texts = await mapYielding(items, (item) => JSON.stringify(mark(item)));
      return recordTogether(db, projectId, { items: texts, isTrial });
    },
    recordBatch: (projectId, { items, key }) =>
      tryAgain(() => recordBatchOf(db, projectId, { items: items.map(mark), key, maxSerialActions })),
    repeatBatch: async (projectId, key) => key && readKeptBatch(db, projectId, key),
  };
}

type SearchLong = <T>(search: () => Promise<T>) => Promise<T>;

/** A large item waits for a slot first. */
function createTurns(scheduler: Pick<Scheduler, 'run'>) {
  return async <T>(
    { projectId, kind, signal, mustBegin }: Wait & { projectId: string; kind: WorkKind | undefined },
    task: (searchLong: SearchLong) => Promise<T>,
  ): Promise<T> => {
    const inQueue: SearchLong = (search) =>
      scheduler.run({ projectId, kind: 'history' }, () => tryAgain(search));
    if (kind === undefined) return task(inQueue);
    let hasBegun = false;
    try {
      return await scheduler.run({ projectId, kind, signal }, async () => {
        hasBegun = true;
        await letOthersRun();
        // An item with a slot must not wait for a second one: waiting items could then occupy all slots.
        return task(tryAgain);
      });
    } catch (error) {
      if (hasBegun || mustBegin !== true) throw error;
      return task(inQueue);
    }
  };
}

/** Returns undefined for an item that is not large. `text`: JSON of the item. */
function toQueue(item: RecordItem, text: string): WorkKind | undefined {
  const { action, entities = [], attributions = [], entityUpdate, upload } = item;
  const names = countNames([action?.body]);
  const bodies = [action, ...entities, ...attributions, entityUpdate].map((draft) => draft?.body);
  // The jobs and the descriptor of the item are not part of its records.
  const bytes = isSmall(text) ? 0 : Buffer.byteLength(JSON.stringify([...bodies, upload?.extensions]));
  if (names <= LARGE_ITEM.names && bytes <= LARGE_ITEM.bytes) return undefined;
  return toBatchKind({ records: 1, names, bytes });
}

/** Each character has at least one byte, so a longer text needs no count of its bytes. */
const isSmall = (text: string) =>
  text.length <= LARGE_ITEM.bytes && Buffer.byteLength(text) <= LARGE_ITEM.bytes;

/** Whether a check ended at the limit of a short walk, or at the limit for all records of a statement together. */
function needsOwnStatement(outcome: Outcome | undefined): boolean {
  return outcome?.outcome === 'cycle' && (outcome.unchecked === 'short' || outcome.unchecked === 'together');
}

async function recordAlone(
  db: Database,
  projectId: string,
  { item, text }: { item: RecordItem; text: string },
): Promise<Outcome> {
  const [outcome] = await recordGroup(db, projectId, { texts: [text], items: [item] });
  if (outcome === undefined) throw new Error('The database returned no outcome of an item');
  return outcome;
}

async function recordGroup(
  db: Database,
  projectId: string,
  group: { texts: readonly string[]; items: readonly RecordItem[]; longestWalk?: number },
): Promise<Outcome[]> {
  const { texts, items, longestWalk } = group;
  const expected = { ...expectFresh(items), ...(longestWalk === undefined ? {} : { longestWalk }) };
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
  { items, key, maxSerialActions }: BatchItems & Pick<RecorderOptions, 'maxSerialActions'>,
): Promise<BatchOutcome> {
  const expected = {
    ...expectFreshInOrder(items),
    ...(maxSerialActions === undefined ? {} : { maxSerialActions }),
  };
  // The JSON of a batch can have several MiB, so the longest parts of the work run in different turns.
  const texts = await mapYielding(items, (item) => JSON.stringify(item));
  if (texts.reduce((length, text) => length + text.length, 0) > LARGE_ITEM.bytes) await letOthersRun();
  const isPlain = expected.apart.length === 0 && items.every(({ action }) => action !== undefined);
  if (!isPlain) return recordBatch(db, projectId, { items: texts, expected, key });
  const records = items.flatMap(({ action }) =>
    action === undefined ? [] : [{ id: action.id, digest: `sha256:${action.digest}`, created: true }],
  );
  const outcome: BatchOutcome = { outcome: 'recorded', records };
  const concerns = [...new Set(items.flatMap(({ action }) => action?.body.performedBy ?? []))];
  const kept = key && { ...key, outcome: { ...outcome, concerns } };
  const scopes = key === undefined ? {} : { scopes: { [key.scope]: [1] } };
  const isRecorded = await recordFreshBatch(db, projectId, {
    items: texts,
    expected: { ...expected, ...scopes },
    kept,
  });
  return isRecorded ? outcome : recordBatch(db, projectId, { items: texts, expected, key });
}
