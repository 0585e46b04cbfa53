import type { Database } from '../db/database.js';
import { createCoalescer } from './coalescer.js';
import type { ActionDraft, Draft, EntityDraft } from './draft-records.js';
import type { Outcome } from './outcome.js';
import { decide, record } from './records.sql.js';

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
  };
  attributions?: Draft[];
  jobs?: { id: string; kind: string; payload: unknown }[];
}

/** The one way in which records are written. */
export interface Recorder {
  /** Writes the item in one transaction. When it resolves, what it wrote is durable. */
  record(projectId: string, item: RecordItem): Promise<Outcome>;
  /** What record() would refuse the item for, as things stand; undefined when it would write it. */
  check(projectId: string, item: RecordItem): Promise<Outcome | undefined>;
}

const LIMITS = { maxItems: 64, maxCharacters: 2 ** 20 };

/** Recorder on a database that has the provenance layer. */
export function createRecorder(db: Database): Recorder {
  const coalesce = createCoalescer<Outcome>((projectId, items) => record(db, projectId, items), LIMITS);
  return {
    record: coalesce,
    check: (projectId, item) => decide(db, projectId, item),
  };
}
