import type { JsonObject, Match } from '@colophon/model';
import type { Database } from '../db/database.js';
import type { DescriptorRow } from '../search/descriptors.sql.js';
import { createCoalescer } from './coalescer.js';
import type { ActionDraft, Draft, EntityDraft } from './draft-records.js';
import type { BatchOutcome, Outcome } from './outcome.js';
import { decide, readKeptBatch, record, recordBatch, recordTogether } from './records.sql.js';
import { tryAgain } from './try-again.js';

/** What becomes visible together, or not at all. */
export interface RecordItem {
  entities?: EntityDraft[];
  action?: ActionDraft;
  /** The action's output whose bytes are in the store. `contentDigest` is hex. */
  upload?: {
    cid: string;
    aliases: string[];
    contentDigest: string;
    sizeBytes: number;
    mimeType: string;
    type: string;
    /** The uploader said so; else it was told from the bytes. */
    typeIsStated: boolean;
    /** Bytes that are recorded already are no fault. */
    mayExist?: true;
    /** What the service found in the bytes, by extension key. */
    extensions?: JsonObject;
  };
  attributions?: Draft[];
  /** A stored entity's new body; refused as `stale` when its digest is no longer the previous one. */
  entityUpdate?: Draft & { previousDigest: string };
  /** The action claims content, or passes it from its owner (`from`, null: nobody) to another by `signature` (hex). */
  ownership?:
    | { kind: 'claim'; cid: string }
    | { kind: 'transfer'; cid: string; from: string | null; to: string; signature?: string };
  /** Refuses an action that names inputs of which the project knows nothing. */
  inputsMustBeKnown?: boolean;
  /** Of a request with an Idempotency-Key: what it is kept under, and what it asked. Both SHA-256, hex. */
  idempotency?: { scope: string; fingerprint: string };
  /** What the upload is found by when it was altered, and what it was found to be like. */
  descriptor?: DescriptorRow;
  matches?: Match[];
  /** What the upload's manifest says that it is recognised by: digests (hex) of algorithms and values. */
  softBindings?: string[];
  jobs?: { id: string; kind: string; payload: unknown }[];
}

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

/** Recorder on a database that has the provenance layer. */
export function createRecorder(db: Database): Recorder {
  const coalesce = createCoalescer<Outcome>((projectId, items) => record(db, projectId, items), LIMITS);
  return {
    record: coalesce,
    check: (projectId, item) => decide(db, projectId, item),
    recordTogether: (projectId, batch) => recordTogether(db, projectId, batch),
    recordBatch: (projectId, batch) => tryAgain(() => recordBatch(db, projectId, batch)),
    repeatBatch: async (projectId, key) => key && readKeptBatch(db, projectId, key),
  };
}
