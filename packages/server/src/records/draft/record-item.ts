import type { JsonObject, Match } from '@colophon/model';
import type { DescriptorRow } from '../../search/descriptors.sql.js';
import type { ActionDraft, Draft, EntityDraft } from './draft-records.js';

/** Records that are written together or not at all. */
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
    /** True when the uploader declared the type; false when it was detected from the bytes. */
    typeIsStated: boolean;
    /** Accepts bytes that are already recorded. */
    mayExist?: true;
    /** Extensions that the service derived from the bytes, by key. */
    extensions?: JsonObject;
  };
  attributions?: Draft[];
  /** A stored entity's new body. Rejected as `stale` when the stored digest is not `previousDigest`. */
  entityUpdate?: Draft & { previousDigest: string };
  /** The action claims content, or transfers it from its owner (`from`, null: no owner) by `signature` (hex). */
  ownership?:
    | { kind: 'claim'; cid: string }
    | { kind: 'transfer'; cid: string; from: string | null; to: string; signature?: string };
  /** Rejects an action with inputs that the project does not know. */
  inputsMustBeKnown?: boolean;
  /** The Idempotency-Key of the request, and the request's content. Both are SHA-256, hex. */
  idempotency?: { scope: string; fingerprint: string };
  /** The descriptor of the upload, and its matches. */
  descriptor?: DescriptorRow;
  matches?: Match[];
  /** Whether every look-up ended in time. Otherwise there may be more matches. */
  matchesComplete?: boolean;
  /** Soft bindings in the upload's manifest: digests (hex) of algorithms and values. */
  softBindings?: string[];
  jobs?: { id: string; kind: string; payload: unknown }[];
}
